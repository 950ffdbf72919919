"""What happened in games: tables of games, seats, cards and rounds, and the page that shows them."""
