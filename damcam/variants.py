"""Which game is played on a board of which size, where nobody said so."""

from rules import Variant

VARIANT_OF_SIZE = {
    8: Variant.ENGLISH,
    10: Variant.INTERNATIONAL,
    12: Variant.CANADIAN,
}

RECORDED_VARIANTS = tuple(variant for variant in Variant if variant is not Variant.ITALIAN)
"""What the camera can follow; the Italian board lies mirrored, which it takes for misplaced."""
