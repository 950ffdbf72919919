"""`iaww play --browser`: a game on a page of a small server that only this machine reaches.

`play` leads the game, as at the terminal. `session` is where the game and the server meet; `person` is who
decides, `showing` what is shown; `server`, `guard` and `page` are what a browser talks to.
"""
