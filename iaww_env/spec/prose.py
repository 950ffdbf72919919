"""What SPEC.md says in words: history of the ids, rewards, infos, and a paragraph to each table."""

from __future__ import annotations

from iaww_env.cards import EXPANSIONS, kinds
from iaww_env.engine import fields
from iaww_env.engine.rewards import SOLO_UNIT
from iaww_env.engine.rules.goals import LOSS, MEDAL_WORTH, TITLE_WORTH, UNBUILT
from iaww_env.records.form import FORMAT, VERSION
from iaww_env.threads import LEAST_PART

# By id: version, since which release, what changed. Whatever can change learning results raises it.
HISTORY = {
    "iaww/Versus-v0": ((0, "0.1.0", "first version"),),
    "iaww/Solo-v0": ((0, "0.1.0", "first version"),),
    "iaww_v0": ((0, "0.1.0", "first version"),),
}

REWARDS = {
    "outcome": "(n × win share - 1) / (n - 1) at the end: 1 for a lone winner, -1 / (n - 1) for the others; "
    f"winners share; the sum is 0. Solo: points / {SOLO_UNIT}",
    "rank": "at the end 1 for the first place down to -1 for the last in even steps; equal seats share the "
    f"middle of theirs. Solo: points / {SOLO_UNIT}",
    "points": "points at the end",
    "margin": f"points at the end, less those of the best other seat. Solo: points / {SOLO_UNIT}",
    "points_gain": "in each step the change of the points that the seat would score now; in all, the points "
    "at the end",
    "goal": f"points at the end. Solo: with {TITLE_WORTH} more for each title that they reach; in a "
    f"scenario that is won {MEDAL_WORTH} more for each medal, in one that is lost {LOSS} less, and {UNBUILT} "
    "less times the share of its named cards that are not built",
}

# After a forfeit.
FORFEITS = {
    "outcome": "the offender gets -1 / (n - 1), each other seat 1 / (n - 1)²; solo: 0",
    "rank": "the offender gets -1, each other seat 1 / (n - 1); solo: 0",
    "points": "the offender gets 0, the others their points as they stand",
    "margin": "as at the end, the offender's points counted as 0; solo: 0",
    "points_gain": "as in each step; the offender loses all that it was paid",
    "goal": "the offender gets 0, the others their points as they stand",
}

INFOS = {
    "points": "the agent's",
    "place": "counted from 1, shared where equal",
    "illegal_action": "how many it took, where it took any",
    "seat": "Gymnasium",
    "scores": "points of all seats; Gymnasium",
    "places": "of all seats; Gymnasium",
    "scenario_won": "scenarios: True or False, after a forfeit False; None in the standard solo game",
    "medal": "solo; None where there is none, so in every lost scenario",
    "title": "solo; None in a scenario",
}

ABOUT = """\
# Reference

Written by `python -m iaww_env.spec` from the tables in the code: do not edit. C&A is Corruption &
Ascension.
"""

ABOUT_IDS = """\
## Environments

`import iaww_env` registers the ids with Gymnasium and PettingZoo. An id carries a version: whatever can
change learning results raises it.
"""

ABOUT_OPTIONS = """\
Options and what they are by default; the docstrings say what they mean. `Game` and `Batch` take `players`,
`expansions`, `empire_side`, `empires` and `scenario` too; `Batch` also `observation` (`None` for none),
`reward`, `skip_forced`, `discards`, `threads` and `arrays`. `gymnasium.make_vec` takes `num_envs`,
`autoreset_mode`, `threads` and `arrays` beside those of the single environment.

**`discards=False`** leaves giving up cards under construction out of the masks of those who learn; what stays
is never empty, and taking one all the same is an illegal action. By default the game is complete. Uniform
exploration gives up a construction at almost every chance and so builds nothing: begin to learn without, and
switch it on for the end or leave it off. Opponents play the complete game either way.

"""

ABOUT_BATCHES = f"""\
## Batches

**`threads=k`** of `Batch` and of the vector environments shares the games of a step between k threads, with
the same bytes for any k. Each gets {LEAST_PART} games or more: fewer stay in one thread and lose nothing.
Our own bots in the other seats play in these threads too; bots in Python, and bots that are given as a class,
are asked in the thread that calls. `sample_legal` draws from one stream and so in one thread. Threads begin
with the first step and end with the batch, or with `close()` of an environment; copies and forked processes
begin their own. Ctrl-C waits for a step that is under way.

**`arrays={{"observations": ..., "masks": ..., "rewards": ...}}`**, all or some of them, are arrays of yours
to be written into. A `Batch` writes `float32` observations (games, size), `int8` masks (games, actions) and
`float32` rewards (games, players); a vector environment the same for its lanes, but `float64` rewards
(lanes,), as Gymnasium has them. They are C-contiguous; a part of a larger block, as `block[3]`, will do.

Without `arrays` what a vector environment returns is fresh at every step. With them each step returns the
same arrays and writes over them, as `copy=False` of Gymnasium's own vector environments does: copy what you
keep. `SB3VecEnv` takes none, because Stable-Baselines3 keeps the last observation while it steps.

With PyTorch, memory that is pinned goes to the GPU while the games go on:

```python
import iaww_env
import torch

games = 4096
table = iaww_env.observation_table(iaww_env.GameConfig(players=4), "compact")
pinned = torch.cuda.is_available()
observations = torch.zeros((games, table.size), pin_memory=pinned)
masks = torch.zeros((games, len(iaww_env.action_table())), dtype=torch.int8, pin_memory=pinned)
batch = iaww_env.Batch(
    players=4,
    num_games=games,
    observation="compact",
    discards=False,
    threads=2,
    arrays={{"observations": observations.numpy(), "masks": masks.numpy()}},
)
device = torch.device("cuda" if pinned else "cpu")
seen = observations.to(device, non_blocking=True)  # torch.cuda.synchronize() before the next step writes
```

Between processes any shared memory will do, here that of `multiprocessing`:

```python
import multiprocessing

import iaww_env
import numpy as np

games, size = 64, 772
memory = multiprocessing.RawArray("f", games * size)  # given to a process, it is the same memory there
observations = np.frombuffer(memory, np.float32).reshape(games, size)
batch = iaww_env.Batch(
    players=4, num_games=games, observation="compact", arrays={{"observations": observations}}
)
```

`python -m iaww_training.examples.shared_workers` is a script to begin from: several processes, each with a
`Batch` on its part of one block.
"""

ABOUT_SIZES = """\
## Sizes

Actions, length of an observation by profile, and length of the state. Cards are dealt to each seat in
each round; solo: to each of eight pools.
"""

ABOUT_ACTIONS = """\
## Actions

One masked discrete action at a time. C is the number of kinds in the card pool, P that of its cards.
`pick`, `slate`, `recycle` and `toss` go on by kind, `place` and `discard` by card:
`place:wind_turbines#2` is the second oldest copy under construction, and its number is that of
`place:wind_turbines` + 1. Of copies with the same open spaces only the oldest is legal.
"""

ABOUT_NUMBERS = """\
## Numbers

The same with and without Corruption & Ascension. The first card is where `place` and `discard` count
from. What is printed on a card stands in `iaww_env.cards`, by name: with `kind = cards.kind("world_bank")` it
is `kind.cost.gold`, `kind.production.science`, `kind.points`, and for the points that it pays for other cards
`kind.points_per.points`, `.first` and, for pairs, `.second`; `cards.empire` has the sides of the empires.
"""

_KINDS = f"{len(kinds())} or {len(kinds(EXPANSIONS))}"
_SITES = f"{fields.SITES_MULTI} (solo {fields.SITES_SOLO})"

ABOUT_OBSERVATIONS = f"""\
## Observations

`{{"observation": float32 vector, "action_mask": int8 vector}}`. The mask holds 1 for each legal action and
is never all zeros. The vector is made of pieces, one behind the other; `iaww_env.views` gives them by
name, as windows into it. A number is the raw number times the scale; least and most bound the raw numbers.
Scales are powers of two, so nothing is rounded: `iaww_env.raw_views` gives the raw numbers by name, as
`int32`. Both take whole batches.

**Which profile.** `full` is the only one that holds all that a seat may know: every other seat card by card,
every site, the packs that have been in hand, what is gone. `compact` sums the other seats up and tells of an
own card how many spaces it lacks, not which: for small plain networks. `cards` is `compact` and, for each own
kind, which spaces are missing, and what the seat that packs pass to makes, scores for and lacks: for networks
that look at cards one by one, since its pieces of shape `kinds` give a row to each kind (what of it is in
hand, drafted, built, slated; what is missing, what it would score), beside the facts of
`iaww_env.card_features`.

`kinds` is {_KINDS}, `sites` {_SITES}, `others` the other seats from the left, each as it stood when
the phase began (in the draft: when the pick began): what happens inside a phase shows when it is over.
"""

ABOUT_REWARDS = """\
## Rewards

Each seat gets its own; n is the number of players. All but `points_gain` pay at the end alone. A forfeit
is the end of a game by an illegal action, with `illegal_action="forfeit"`.

By all but `goal` a scenario pays its points whether it is won or lost: `scenario_won` in the infos of the
last step says which. Winning asks for every named card, which early play hardly ever builds; paid by that
alone, a learner would see one and the same reward for almost every game. `goal` therefore pays for each named
card as well as for medals. Scenarios are compared by `scenario_won` first, then by points.
Scenarios are played alone, so the PettingZoo environments know none.
"""

ABOUT_STATE = """\
## State

A game is one row of `int16`: the table, the packs, the seats, the seats as last seen, the decks and the
pools. `game.state` and `batch.state` give its fields by name, to be read; fields of the seats as last seen
carry the prefix `seen_`. Packs, decks and pools hold kinds, and -1 where there is no card. A row is complete:
copied, it goes on alone. `with game.edit() as state:` changes a game by hand: what comes out must be a state
of the game in every number, or it is refused and the game is as it was.
"""

ABOUT_TABLE = """\
### The table
"""

ABOUT_SEATS = f"""\
### A seat

A card under construction (`site`) is kind, card, twin, left and, from cell {fields.SITE_MISSING} on, what is
missing by space; twin is 1 where an older copy has the same open spaces.
"""

ABOUT_BYTES = """\
## Bytes

What `game.to_bytes()` gives, all numbers little-endian:
"""

ABOUT_STREAMS = f"""\
The random stream of a row is xoshiro128++: four words of 32 bits, the low half of each first. A seed
becomes a stream through `numpy.random.SeedSequence(seed).generate_state(4)`.

Records are JSON Lines, one game in each line, with `"format": "{FORMAT}"` and `"version": {VERSION}`.
`iaww_env/records/form.py` names every field, and `iaww verify` replays them.
"""
