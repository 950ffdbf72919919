"""What `iaww bench` measures."""
