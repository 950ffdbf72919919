"""Teaching a network what it finds when it looks ahead: positions compared, and learning from them."""
