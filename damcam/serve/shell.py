"""The one frame of HTML that every page stands in: of a game, of a desk, of a hall."""

from html import escape


def shell(
    title: str,
    body: str,
    *,
    kind: str,
    script: str,
    language: str = "en",
    base: str = "",
    head: str = "",
) -> str:
    """Return a whole page.

    Args:
        title: Safe inside HTML.
        body: HTML.
        kind: The class of the page in the style sheet.
        script: The address of the script that it runs.
        language: Its code, as in `lang`.
        base: The path below which style sheet and icon lie.
        head: More lines of HTML for the head.
    """
    return f"""<!doctype html>
<html lang="{language}" data-base="{base}" data-kind="{kind}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} | damcam</title>
<link rel="stylesheet" href="{base}/static/page.css">
<link rel="icon" href="{base}/static/icon.svg" type="image/svg+xml">
{head}<script src="{script}" defer></script>
</head>
<body class="{kind}">
{body}
</body>
</html>
"""


def alert(text: str, detail: str = "") -> str:
    """Return a sentence that a screen reader says at once, nothing for none.

    Args:
        text: The sentence, in the language of the page.
        detail: More about it, in English.
    """
    more = f' <small lang="en">{escape(detail)}</small>' if detail else ""
    return f'<p class="message" role="alert">{escape(text)}{more}</p>' if text else ""
