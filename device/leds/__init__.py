"""Lights: what they say, which lamp lies under which square, and strips of lamps."""

from .led_map import LedMap, limit_current, load_led_map
from .pattern import (
    DARK,
    LOOKS,
    LightKind,
    LightMark,
    LightPattern,
    Look,
    Rgb,
    Rhythm,
    colors_at,
)
from .screen import ScreenLights, describe
from .strip import LedStrip, StripSettings
from .strip_packets import (
    Identity,
    ReadBack,
    Restarted,
    StripDecoder,
    StripMessage,
    encode_adalight,
    encode_awa,
)

__all__ = [
    "DARK",
    "LOOKS",
    "Identity",
    "LedMap",
    "LedStrip",
    "LightKind",
    "LightMark",
    "LightPattern",
    "Look",
    "ReadBack",
    "Restarted",
    "Rgb",
    "Rhythm",
    "ScreenLights",
    "StripDecoder",
    "StripMessage",
    "StripSettings",
    "colors_at",
    "describe",
    "encode_adalight",
    "encode_awa",
    "limit_current",
    "load_led_map",
]
