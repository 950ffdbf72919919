"""The action table: numbers and texts of every decision, both ways, and nothing but the one notation."""

import copy
import pickle
import re

import numpy as np
import pytest

from iaww_env.actions import CHOICES, DIGS, USES, VERBS, ActionTable, action_table
from iaww_env.cards import EXPANSIONS, kind, kinds
from iaww_env.errors import ActionTextError, ConfigError, IawwError, IllegalActionError

BASE = action_table()
FULL = action_table(EXPANSIONS)
both_pools = pytest.mark.parametrize("table", [BASE, FULL], ids=["base", "ascension"])


# --- Size and order ----------------------------------------------------------------------------------


def test_sizes() -> None:
    assert (BASE.size, BASE.kinds, BASE.cards) == (627, 78, 150)
    assert (FULL.size, FULL.kinds, FULL.cards) == (891, 116, 206)
    assert (len(BASE), len(FULL)) == (627, 891)


def test_first_number_of_each_verb_spelled_out() -> None:
    starts = {verb.name: (getattr(BASE, verb.name), getattr(FULL, verb.name)) for verb in VERBS}
    assert starts == {
        "pick": (0, 0),
        "slate": (78, 116),
        "recycle": (156, 232),
        "toss": (234, 348),
        "place": (312, 464),
        "discard": (462, 670),
        "use": (612, 876),
        "to_empire": (620, 884),
        "choose": (621, 885),
        "dig": (623, 887),
        "end": (625, 889),
        "wait": (626, 890),
    }
    assert list(starts) == sorted(starts, key=lambda name: starts[name])


@both_pools
def test_order_inside_each_verb(table: ActionTable) -> None:
    pool = kinds(table.expansions)
    texts = list(table)
    for verb in ("pick", "slate", "recycle", "toss"):
        for one in pool:
            assert texts[getattr(table, verb) + one.index] == f"{verb}:{one.id}"
    for verb in ("place", "discard"):
        for one in pool:
            oldest = getattr(table, verb) + one.first_card
            assert texts[oldest] == f"{verb}:{one.id}"
            for k in range(2, one.copies + 1):
                assert texts[oldest + k - 1] == f"{verb}:{one.id}#{k}"
    assert texts[table.use :] == [
        "use:krystallium_as_materials",
        "use:krystallium_as_energy",
        "use:krystallium_as_science",
        "use:krystallium_as_gold",
        "use:krystallium_as_exploration",
        "use:krystallium",
        "use:general",
        "use:financier",
        "to_empire",
        "choose:general",
        "choose:financier",
        "dig:base",
        "dig:ascension",
        "end",
        "wait",
    ]


def test_actions_spelled_out() -> None:
    assert BASE.to_text(0) == "pick:financial_center"
    assert BASE.parse("pick:zeppelin") == kind("zeppelin").index == 17
    assert BASE.parse("place:financial_center#5") == 316
    assert BASE.parse("place:industrial_complex") == 317
    assert FULL.parse("place:shambhala") == 464 + 205
    assert FULL.parse("discard:border_patrol#3") == 670 + 152
    assert (BASE.to_text(626), FULL.to_text(890)) == ("wait", "wait")


def test_verbs_are_declared_with_their_counts() -> None:
    counts = [verb.count for verb in VERBS]
    assert counts == ["C", "C", "C", "C", "P", "P", "8", "1", "2", "2", "1", "1"]
    for table in (BASE, FULL):
        values = {"C": table.kinds, "P": table.cards}
        assert sum(values.get(count) or int(count) for count in counts) == table.size
        assert table.size == 4 * table.kinds + 2 * table.cards + 15
    assert all(verb.when for verb in VERBS)
    assert (len(USES), CHOICES, DIGS) == (8, ("general", "financier"), ("base", "ascension"))


# --- Both ways ---------------------------------------------------------------------------------------


@both_pools
def test_every_action_goes_to_text_and_back(table: ActionTable) -> None:
    texts = list(table)
    assert len(set(texts)) == len(texts) == table.size
    for action, text in enumerate(texts):
        assert table.to_text(action) == text
        assert table.parse(text) == action
        assert text in table
        assert re.fullmatch(r"[a-z_]+(:[a-z0-9_]+(#([2-9]|[1-9][0-9]))?)?", text)


@both_pools
def test_every_action_in_its_parts(table: ActionTable) -> None:
    for action, text in enumerate(table):
        verb, of_kind, number = table.verb(action), table.kind(action), table.copy(action)
        assert text.split(":")[0] == verb
        if verb in ("pick", "slate", "recycle", "toss"):
            assert of_kind is not None
            assert (text, number) == (f"{verb}:{of_kind.id}", None)
            assert action == getattr(table, verb) + of_kind.index
        elif verb in ("place", "discard"):
            assert of_kind is not None
            assert number is not None
            assert 1 <= number <= of_kind.copies
            assert action == getattr(table, verb) + of_kind.first_card + number - 1
            assert text == f"{verb}:{of_kind.id}" + (f"#{number}" if number > 1 else "")
        else:
            assert (of_kind, number) == (None, None)


def test_base_texts_are_all_in_the_larger_pool() -> None:
    assert set(BASE) < set(FULL)
    assert {FULL.verb(FULL.parse(text)) for text in set(FULL) - set(BASE)} == {
        "pick",
        "slate",
        "recycle",
        "toss",
        "place",
        "discard",
    }


def test_numpy_integers_are_numbers_too() -> None:
    for form in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64):
        assert BASE.to_text(form(17)) == "pick:zeppelin"


# --- Strict ------------------------------------------------------------------------------------------

BAD_TEXTS = [
    "",
    " ",
    "pick",
    "pick:",
    ":zeppelin",
    "zeppelin",
    "Pick:zeppelin",
    "pick:Zeppelin",
    "PICK:ZEPPELIN",
    " pick:zeppelin",
    "pick:zeppelin ",
    "pick:zeppelin\n",
    "pick: zeppelin",
    "pick:wind turbines",
    "pick:zeppelin#2",
    "pick:zeppelin:zeppelin",
    "slate:zeppelin#1",
    "place:zeppelin#",
    "place:zeppelin#0",
    "place:zeppelin#1",
    "place:zeppelin#7",
    "place:zeppelin#02",
    "place:zeppelin#+2",
    "place:zeppelin#-1",
    "place:zeppelin# 2",
    "place:zeppelin#2 ",
    "place:zeppelin#2#2",
    "place:zeppelin#two",
    "place:zeppelin#\u0662",
    "place:zeppelin\uff032",
    "place:juggernaut#2",
    "discard:wind_turbines#8",
    "discard:zeppelin#99999999999999999999",
    "p\u0456ck:zeppelin",
    "pick:zeppel\u0131n",
    "pick:éoliennes",
    "\ud800",
    "pick\x00:zeppelin",
    "use:gold",
    "use:krystallium_as_general",
    "use:krystallium#2",
    "choose:krystallium",
    "dig",
    "dig:war_or_peace",
    "to_empire:",
    "to_empire:gold",
    "end:",
    "END",
    "wait#2",
    "pass",
    "0",
    "17",
    "place:headquarters",
    "x" * 1_000_000,
    "place:" + "#2" * 500_000,
]


@both_pools
@pytest.mark.parametrize("text", BAD_TEXTS, ids=lambda text: ascii(text)[:40])
def test_other_forms_are_refused(table: ActionTable, text: str) -> None:
    assert text not in table
    with pytest.raises(ActionTextError) as caught:
        table.parse(text)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("text", [None, 17, 17.0, True, b"end", ["end"], {"end": 1}, object()])
def test_what_is_no_text_is_refused(text: object) -> None:
    assert text not in BASE
    with pytest.raises(ActionTextError, match="pick:zeppelin"):
        BASE.parse(text)  # type: ignore[arg-type]


@both_pools
@pytest.mark.parametrize("number", [-1, -627, 891, 2**63, True, False, np.True_, 0.0, "17", None, []])
def test_numbers_outside_the_table_are_refused(table: ActionTable, number: object) -> None:
    for ask in (table.to_text, table.verb, table.kind, table.copy):
        with pytest.raises(ActionTextError):
            ask(number)  # type: ignore[arg-type]


def test_numbers_too_long_to_print_are_refused_too() -> None:
    with pytest.raises(ActionTextError, match="a very long int"):
        BASE.to_text(10**5000)


def test_the_table_ends_at_its_size() -> None:
    with pytest.raises(ActionTextError, match="0 to 626"):
        BASE.to_text(627)
    assert FULL.to_text(627)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("pick:zepelin", "did you mean 'pick:zeppelin'?"),
        ("Pick:zeppelin", "did you mean 'pick:zeppelin'"),
        ("place:zeppelin#1", "the oldest copy is written without a number, 'place:zeppelin'"),
        ("discard:casino_city#3", "its copies are 'discard:casino_city', 'discard:casino_city#2'"),
        ("recycle:zeppelin#2", "this verb names no copy, 'recycle:zeppelin'"),
        ("pick:border_patrol", "comes with Corruption & Ascension"),
        ("choose:gold", "choose:general, choose:financier"),
        ("toss", "a card of the pool follows the verb, as in 'toss:zeppelin'"),
        ("build:zeppelins_and_more", "it begins with one of pick, slate, recycle"),
    ],
)
def test_messages_say_what_would_do(text: str, hint: str) -> None:
    with pytest.raises(ActionTextError, match=re.escape(hint)) as caught:
        BASE.parse(text)
    assert repr(text) in str(caught.value)


# --- The table as an object --------------------------------------------------------------------------


def test_one_table_for_each_card_pool() -> None:
    assert action_table(()) is action_table([]) is BASE
    assert action_table("corruption_and_ascension") is action_table(list(EXPANSIONS)) is FULL
    for table in (BASE, FULL):
        assert pickle.loads(pickle.dumps(table)) is table
        assert copy.deepcopy(table) is copy.copy(table) is table
    with pytest.raises(ConfigError):
        action_table(["war_or_peace"])


def test_a_table_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        BASE.end = 0  # type: ignore[misc]


# --- The error of an illegal action ------------------------------------------------------------------


def test_illegal_action_error_says_everything() -> None:
    legal = ["pick:museum", "pick:atlantis"]
    error = IllegalActionError(2, 17, "pick:zeppelin", "it is not in the hand", legal)
    assert (error.seat, error.action, error.text) == (2, 17, "pick:zeppelin")
    assert (error.reason, error.legal) == ("it is not in the hand", ("pick:museum", "pick:atlantis"))
    assert str(error) == (
        "seat 2 cannot play 'pick:zeppelin' (action 17): it is not in the hand; "
        "legal: pick:museum, pick:atlantis"
    )
    assert isinstance(error, IawwError)
    assert isinstance(error, ValueError)


def test_illegal_action_error_names_twelve_legal_actions_at_most() -> None:
    error = IllegalActionError(0, 0, "end", "no", list(BASE))
    assert len(error.legal) == 627
    assert "pick:mega_drill" not in str(error)
    assert str(error).endswith("pick:icebreaker, ... (627 in all)")
    assert str(IllegalActionError(0, 0, "end", "the game is over")).endswith("legal: nothing")


def test_errors_survive_pickle_and_copy() -> None:
    error = IllegalActionError(2, 17, "pick:zeppelin", "it is not in the hand", ("wait",))
    error.add_note("seen in game 5")
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(twin) is IllegalActionError
        assert str(twin) == str(error)
        assert twin.__dict__ == error.__dict__
    twin = pickle.loads(pickle.dumps(ActionTextError("no")))
    assert (type(twin), str(twin)) == (ActionTextError, "no")
