"""Games as text and as HTML."""
