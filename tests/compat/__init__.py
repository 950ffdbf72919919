"""Other learning libraries play, through our adapters where they need one."""
