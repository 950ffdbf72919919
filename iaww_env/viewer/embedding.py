"""A page inside another: what a notebook shows of a replay, packed, so that the notebook stays small."""

from __future__ import annotations

import base64
import gzip
from html import escape

# The page comes out of its packing in the reader's browser, into a frame of its own.
UNPACK = """<!DOCTYPE html><meta charset="utf-8"><p>unpacking ...</p><script>
const packed = Uint8Array.from(atob("{packed}"), letter => letter.charCodeAt(0));
const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
new Response(stream).text().then(page => {{ document.open(); document.write(page); document.close(); }});
</script>"""


def embed_page(page: str, height: int = 640) -> str:
    """A page of `write_page` as a piece of HTML: `IPython.display.HTML(embed_page(page))` shows it.

    It runs in a frame that reaches nothing around it and needs no network. A notebook that nobody trusts
    leaves it out.

    Args:
        page: The page.
        height: Of the frame, in pixels.
    """
    packed = base64.b64encode(gzip.compress(page.encode(), 9, mtime=0)).decode()
    inside = escape(UNPACK.format(packed=packed))
    frame = f'sandbox="allow-scripts" width="100%" height="{height}" style="border:0"'
    return f'<iframe title="a game, step by step" {frame} srcdoc="{inside}"></iframe>'
