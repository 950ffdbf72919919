"""Scripts to be read, run and copied: each stands alone."""
