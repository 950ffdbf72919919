"""What Python calls: compiled functions with one signature each."""
