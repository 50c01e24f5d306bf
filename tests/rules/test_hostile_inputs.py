"""Random inputs to everything that reads text; `hostile_inputs_bench` gives it a million."""

import random

import pytest

from tests.rules.hostile_inputs import READERS, feed_everyone

INPUTS = 250


@pytest.mark.parametrize("seed", range(20))
def test_random_inputs_raise_nothing_but_our_own_errors(seed: int) -> None:
    chance = random.Random(seed)
    accepted = [feed_everyone(chance) for _ in range(INPUTS)]
    # A PDN, a stream and a comment may be any text; the others must understand some as well.
    assert min(accepted) >= 3
    assert 3 < max(accepted) < len(READERS)
