"""`damcam lint-feed`: can the relays follow this PDN feed?"""

import argparse
import json
import re
from dataclasses import asdict
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from ..game.feed_lint import FeedFinding, lint_feed
from .errors import CommandError, sentence, telling

UNFIT = 1
PATIENCE_S = 4.0
"""A relay gives up after this time."""
MOST_BYTES = 16_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("feed", metavar="FILE|URL", help="a PDN file, or the address of one")
    parser.add_argument("--json", action="store_true", help="one JSON object a finding")


def run(args: argparse.Namespace) -> int:
    """Print the findings; 1 when an error is among them."""
    findings = lint_feed(_read(args.feed))
    for finding in findings:
        print(json.dumps({"v": 1} | asdict(finding)) if args.json else _line(finding))
    is_fit = all(finding.severity != "error" for finding in findings)
    if not args.json:
        print("the feed is fit" if is_fit else "the feed cannot be followed")
    return 0 if is_fit else UNFIT


def _line(finding: FeedFinding) -> str:
    game = f"game {finding.game}, " if finding.game else ""
    return f"{finding.severity}: {game}line {finding.line}: {finding.text}"


def _read(feed: str) -> bytes:
    if not re.match(r"[a-z][a-z0-9+.-]+://", feed, re.IGNORECASE):
        with telling(OSError):
            return Path(feed).read_bytes()
    if not re.match(r"https?://", feed, re.IGNORECASE):
        raise CommandError(f"relays follow http:// and https:// only, not {feed}")
    request = Request(feed, headers={"User-Agent": "damcam lint-feed"})
    try:
        with urlopen(request, timeout=PATIENCE_S) as answer:
            status, body = answer.status, bytes(answer.read(MOST_BYTES))
    except HTTPError as error:
        status, body = error.code, b""
        error.close()
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        told = sentence(reason) if isinstance(reason, Exception) else reason
        raise CommandError(f"{feed} cannot be read: {told}") from error
    if status != 200:
        raise CommandError(f"{feed} answers with {status}, only 200 is followed")
    return body
