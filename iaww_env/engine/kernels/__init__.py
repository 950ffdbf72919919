"""What Python calls: compiled functions with one signature each.

Arrays are handed over one by one, however many there are. As one named tuple they would cost 0.6 to 1.2
microseconds more in each call (3 where the tuple is made anew), and a whole step of one game takes about 1.
"""
