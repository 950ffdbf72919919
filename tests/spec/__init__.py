"""SPEC.md."""
