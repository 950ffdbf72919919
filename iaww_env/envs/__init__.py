"""Thin adapters: the game behind the interfaces of PettingZoo and Gymnasium."""
