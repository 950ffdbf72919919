"""SPEC.md, written from the tables in the code: `python -m iaww_env.spec`."""
