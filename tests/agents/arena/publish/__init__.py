"""Tables that are written into papers."""
