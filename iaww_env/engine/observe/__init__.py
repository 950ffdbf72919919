"""What a seat observes: the declared pieces, and the encoder that writes them."""
