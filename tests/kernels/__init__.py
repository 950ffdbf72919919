"""What Python calls: one signature for each kernel, and no index out of bounds."""
