"""How wide a text is: known without a font, so that what is drawn fits wherever it is shown.

The widths are those of Arial, whose numbers Helvetica, Liberation Sans and Arimo share, or of the letters
that Pillow brings along where those are wider. The pages ask for these letters.
"""

from __future__ import annotations

FIRST = 32  # the blank; the others follow in the order of ASCII
# Thousandths of the size of the letters.
_PLAIN = (
    "278 278 355 580 580 889 667 191 333 333 560 584 278 333 278 303 580 580 580 580 580 580 580 580 "
    "580 580 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 730 278 544 667 575 866 722 778 "
    "667 778 722 667 612 722 667 952 667 667 611 307 303 295 580 556 333 556 611 529 615 556 290 615 "
    "593 238 233 522 247 855 593 586 611 615 333 500 313 592 514 785 500 513 500 334 260 334 584"
)
_BOLD = (
    "278 333 474 610 610 889 722 238 345 345 590 610 278 333 278 333 610 610 610 610 610 610 610 610 "
    "610 610 333 333 610 610 610 611 975 722 722 729 739 667 611 778 760 294 574 722 611 896 748 778 "
    "667 778 722 667 642 722 667 982 667 667 621 337 333 333 610 556 333 561 641 559 645 579 333 645 "
    "623 278 278 556 278 889 623 616 641 645 389 556 343 622 556 815 556 556 500 389 280 389 610"
)
_WIDTHS = tuple(tuple(map(int, widths.split())) for widths in (_PLAIN, _BOLD))
_OTHER = 1000  # letters that are not of ASCII


def measure_text(text: str, size: float, bold: bool = False) -> float:
    """How wide a text is at a size, in the same unit."""
    widths = _WIDTHS[bold]
    total = 0
    for letter in text:
        place = ord(letter) - FIRST
        total += widths[place] if 0 <= place < len(widths) else _OTHER
    return total * size / 1000


def wrap_text(text: str, size: float, width: float, bold: bool = False) -> list[str]:
    """The text in lines that are no wider, cut between two words; inside of one that is wider than a line."""
    lines: list[str] = []
    parts = [part for word in text.split() for part in _split_word(word, size, width, bold)]
    for word in parts:
        longer = f"{lines[-1]} {word}" if lines else ""
        if lines and measure_text(longer, size, bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _split_word(word: str, size: float, width: float, bold: bool) -> list[str]:
    """A word in parts that are no wider than a line."""
    parts = [""]
    for letter in word:
        if parts[-1] and measure_text(parts[-1] + letter, size, bold) > width:
            parts.append("")
        parts[-1] += letter
    return parts


def cut_text(text: str, size: float, width: float) -> str:
    """The text where it fits, else its beginning and three dots."""
    if measure_text(text, size) <= width:
        return text
    kept = len(text)
    while kept and measure_text(f"{text[:kept]}...", size) > width:
        kept -= 1
    return f"{text[:kept]}..."
