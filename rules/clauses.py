"""Clauses: the numbers that verdicts cite, what each is about, and their WCDF counterparts."""

from collections.abc import Mapping
from types import MappingProxyType

from .squares import Variant


def clause_titles() -> Mapping[str, str]:
    """Return what each FMJD clause that a verdict can cite is about."""
    return MappingProxyType(
        {
            "3.11": "a touched piece must be played",
            "4.4": "clear and orderly execution with one hand",
            "4.11": "captured pieces are taken off after the capture, in order",
            "4.16": "a man may be taken off before it is jumped only by a man",
            "5.1": "the board lies the wrong way round",
            "5.2": "the start position is wrong",
            "5.3": "a piece stands on a light square",
            "5.4.1": "two moves in succession",
            "5.4.2": "an irregular move",
            "5.4.3": "one piece touched, another moved",
            "5.4.4": "a move taken back",
            "5.4.5": "an opponent's piece moved",
            "5.4.6": "no capture although one was obligatory",
            "5.4.7": "a piece removed without reason",
            "5.4.8": "a capture of the wrong number of pieces",
            "5.4.9": "a capture stopped half-way",
            "5.4.10": "a piece lifted before the capture was finished",
            "5.4.11": "fewer pieces taken off than captured",
            "5.4.12": "a piece taken off that was not jumped",
            "5.4.13": "the removal of captured pieces interrupted",
            "5.4.14": "an own piece taken off after a capture",
            "5.4.15": "a king not crowned",
            "5.4.16": "a king played before it was crowned",
            "5.4.17": "two hands used",
            "5.5": "the position disturbed by accident",
        }
    )


_WCDF: Mapping[str, str] = MappingProxyType(
    {
        "3.11": "1.23",
        "4.4": "1.19",
        "4.11": "1.19",
        "4.16": "1.19",
        "5.1": "1.4",
        "5.2": "1.11",
        "5.3": "1.5",
        "5.4.1": "1.13",
        "5.4.3": "1.23",
        "5.4.4": "1.23",
        "5.4.6": "1.20",
        "5.4.8": "1.20",
        "5.4.9": "1.20",
        "5.4.10": "1.19",
        "5.4.11": "1.19",
        "5.4.13": "1.19",
        "5.4.15": "1.16",
        "5.4.16": "1.16",
    }
)
WCDF_ILLEGAL_MOVE = "1.25"
"""False, improper or illegal moves of every other kind."""


def clause_for(variant: Variant, fmjd: str) -> str:
    """Return the number under which a game's own rules treat what FMJD treats in a clause."""
    if variant is Variant.ENGLISH:
        return _WCDF.get(fmjd, WCDF_ILLEGAL_MOVE)
    return fmjd
