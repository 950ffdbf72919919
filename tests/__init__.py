"""Tests: a room for each room of the packages (test_rooms.py), and beside them what several rooms use."""
