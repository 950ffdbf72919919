"""The rules as played, a module for each chapter; RULES.md leads from a rule to its function."""
