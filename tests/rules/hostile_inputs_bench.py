"""A million random inputs to everything that reads text: nothing but our own errors may come.

`python -m tests.rules.hostile_inputs_bench --count 1000000`; each input goes to every reader. Ends
with the traceback of the first foreign error and the seed that makes it again.
"""

import argparse
import random
import sys
import traceback
from time import perf_counter

from tests.rules.hostile_inputs import READERS, feed_everyone

INPUTS_A_SEED = 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0, help="the first one")
    options = parser.parse_args()
    start = perf_counter()
    fed = accepted = 0
    seed = options.seed
    while fed < options.count:
        chance = random.Random(seed)
        for _ in range(min(INPUTS_A_SEED, options.count - fed)):
            try:
                accepted += feed_everyone(chance)
            except (ArithmeticError, AssertionError, LookupError, RuntimeError, TypeError):
                traceback.print_exc()
            except ValueError:
                traceback.print_exc()
            else:
                fed += 1
                continue
            print(f"input {fed % INPUTS_A_SEED} of --seed {seed} --count {INPUTS_A_SEED}")
            return 1
        seed += 1
    print(
        f"{fed:,} random inputs to {len(READERS)} readers each in {perf_counter() - start:.0f} s: "
        f"{accepted:,} accepted, {fed * len(READERS) - accepted:,} refused with an error of ours "
        "or a fault with line and column, no other error"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
