"""Scripts that train and evaluate policies for It's a Wonderful World; this version carries none yet."""
