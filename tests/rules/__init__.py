"""The rules, chapter by chapter, by worked examples; what always holds; and RULES.md."""
