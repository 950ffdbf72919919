"""What a seat is shown: right, complete and honest."""
