"""Games in the browser: what the server answers, and whole games by clicks and keys."""
