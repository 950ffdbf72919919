"""Bots that play It's a Wonderful World, from random to trained ones; this version carries none yet."""
