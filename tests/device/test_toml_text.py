"""TOML files that would take seconds and hundreds of megabytes."""

import pytest

from device import read_toml_text
from device.toml_text import MOST_CHARACTERS


def test_what_a_setting_looks_like_is_read() -> None:
    text = 'ca = "a.b.c"\nservers = ["nats://10.0.0.5:4222"]\n[tags]\nEvent = "x"\n'
    assert read_toml_text(text)["tags"] == {"Event": "x"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a." * 5000 + "b = 1", "line 1 has more than 100 points"),
        ("x = 1\n[" + "a." * 5000 + "b]", "line 2 has more than 100 points"),
        ("#" * (MOST_CHARACTERS + 1), "longer than 1,000,000 characters"),
        ("x = ", "Invalid value"),
    ],
)
def test_what_no_setting_looks_like_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_toml_text(text)
