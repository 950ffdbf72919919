"""What networks see, their forward pass and their files."""
