"""Games recorded by an independent implementation of the rules."""
