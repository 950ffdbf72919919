"""Networks that play: what they see, and their forward pass without any learning library."""
