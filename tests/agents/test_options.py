"""Options of our bots that cannot be are refused in words, before a game."""

from __future__ import annotations

import pytest

from iaww_env.bots.specs import make_agent, parse_options
from iaww_env.errors import ConfigError

NUMBERS = ("nan", "inf", "-inf", "1e400", "-1e400", "abc", "", "9" * 5000)


def list_wrong() -> list[str]:
    wrong = [
        f"search:{name}={value}"
        for name in ("worlds", "simulations", "milliseconds", "win_bonus", "doubt")
        for value in NUMBERS
    ]
    wrong += [f"search:{name}" for name in ("worlds", "simulations", "milliseconds", "win_bonus", "doubt")]
    wrong += [
        f"search:{name}={value}"
        for name in ("worlds", "simulations")
        for value in ("0", "-1", "2.5", "1e300")
    ]
    wrong += [
        "search:worlds=4097",
        "search:milliseconds=0",
        "search:milliseconds=-1",
        "search:milliseconds=1e30",
    ]
    wrong += ["search:doubt=-0.1", "search:doubt=2.1", "search:win_bonus=1e300"]
    wrong += [f"heuristic:{name}={value}" for name in ("deny", "check") for value in (*NUMBERS, "1e300")]
    wrong += ["heuristic:deny", "random:nodiscard=7", "random:nodiscard=no", "random:nodiscard=nan"]
    return wrong


@pytest.mark.parametrize("spec", list_wrong(), ids=lambda spec: spec[:30])
def test_options_that_cannot_be_are_refused_in_words(spec: str) -> None:
    with pytest.raises(ConfigError, match=r"give a (whole )?number from|write nodiscard") as error:
        make_agent(spec)
    said = str(error.value)
    bot, _, option = spec.partition(":")
    assert said.startswith(f"{bot}: {option.partition('=')[0]} is ")
    assert "\n" not in said
    assert len(said) < 200


@pytest.mark.parametrize(
    "spec",
    [
        "search:worlds=1",
        "search:worlds=8.0",
        "search:worlds=4096,doubt=2,win_bonus=-3.5",
        "search:simulations=200,milliseconds=0.5",
        "heuristic:deny=-1,check=0",
        "random:nodiscard=false",
    ],
)
def test_options_that_can_be_are_taken(spec: str) -> None:
    assert callable(make_agent(spec).act)


def test_a_number_of_thousands_of_digits_is_no_crash() -> None:
    assert parse_options(f"a={'9' * 5000}")["a"] == float("inf")


@pytest.mark.parametrize(
    "spec",
    [
        "x" * 5000,
        "x" * 5000 + ".py",
        "/".join(["x" * 200] * 50) + ".py",
        "a\0b",
        "a\0b.py",
        "a" * 5000 + ":B",
        "a.py:" + "b" * 5000,
        "search:" + "b" * 5000 + "=1",
    ],
    ids=range(8),
)
def test_names_that_no_file_can_have_are_refused(spec: str) -> None:
    with pytest.raises(ConfigError) as error:
        make_agent(spec)
    said = str(error.value)
    assert "\0" not in said
    assert len(said) < 600
