"""Errors for whoever sent a form: a message of the catalogues, and what stands in its places."""

from .language import Language


class Words(str):
    """A value that is a message itself."""

    __slots__ = ()


class SaidError(Exception):
    """Something cannot be done; as text it is English, `told` says it in a language."""

    def __init__(self, text: str, *, detail: str = "", **values: object) -> None:
        """Take the message.

        Args:
            text: A message of the catalogues, with places such as `{move}`.
            detail: What a lower layer said about it, in English; it is shown behind the message.
            values: What stands in the places.
        """
        super().__init__(": ".join(filter(None, (text.format(**values), detail))))
        self.detail = detail
        self._text = text
        self._values = values

    def told(self, language: Language) -> str:
        """Return the message in a language."""
        values = {
            name: language.text(value) if isinstance(value, Words) else value
            for name, value in self._values.items()
        }
        return language.text(self._text).format(**values)
