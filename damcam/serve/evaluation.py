"""What an engine thinks of a position, as numbers and as a bar."""

import json
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from .language import Language

BAR: Final = 200
MOST_MEN: Final = 3.0
"""An advantage beyond this fills the bar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The thoughts about one position.

    Attributes:
        fen: the position.
        men: White's advantage, in men; below zero it is Black's.
        depth: how many plies were looked ahead.
        line: the best moves, as PDN writes them.
        engine: the name by which the engine goes.
    """

    fen: str
    men: float
    depth: int
    line: tuple[str, ...]
    engine: str


def evaluation_json(evaluation: Evaluation) -> dict[str, Any]:
    """Return the JSON object of an evaluation."""
    return {
        "fen": evaluation.fen,
        "men": evaluation.men,
        "depth": evaluation.depth,
        "line": list(evaluation.line),
        "engine": evaluation.engine,
    }


def evaluation_message(evaluation: Evaluation) -> bytes:
    """Return the event that streams carry; without an id, so that nobody resumes from it."""
    return f"event: evaluation\ndata: {json.dumps(evaluation_json(evaluation))}\n\n".encode()


def evaluation_html(evaluation: Evaluation, language: Language) -> str:
    """Return a bar, white from the left, with the advantage and the best line in words."""
    share = (max(-MOST_MEN, min(MOST_MEN, evaluation.men)) / MOST_MEN + 1.0) / 2.0
    title = escape(language.text("Evaluation"))
    source = escape(f"{evaluation.engine}, {evaluation.depth}")
    return (
        f'<section class="evaluation" aria-label="{title}">'
        f'<svg viewBox="0 0 {BAR} 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="black" width="{BAR}" height="10"/>'
        f'<rect class="white" width="{round(BAR * share)}" height="10"/>'
        f'<path d="M{BAR / 2} 0V10"/></svg>'
        f"<p><strong>{evaluation.men:+.2f}</strong> {escape(' '.join(evaluation.line))} "
        f"<small>{source}</small></p></section>"
    )
