"""The tables behind the heuristic: each name once and in its place, and kinds that no line is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from iaww_agents.heuristic import weights as named
from iaww_agents.heuristic.weights import FOLDER, NAMES, read_biases, read_named
from iaww_env.cards import EXPANSIONS, RESOURCES, TYPES, kinds
from iaww_env.errors import ConfigError


def change_table(tmp_path: Path, name: str, old: str, new: str) -> Path:
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert text.count(old) == 1
    path = tmp_path / name
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


def test_every_weight_stands_where_its_name_says() -> None:
    assert [getattr(named, name.upper()) for name in NAMES] == list(range(len(NAMES)))
    by_name = {name: float(place) for place, name in enumerate(NAMES)}
    for first, form, sorts in ((named.CUBE, "cube_{}", RESOURCES), (named.SPARE, "spare_{}", RESOURCES)):
        assert [by_name[form.format(sort)] for sort in sorts] == [first + n for n in range(len(sorts))]
    assert [by_name[sort] for sort in TYPES] == [named.TYPE + n for n in range(len(TYPES))]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("\ngrowth,", "\ngroth,", "line 8: there is 'groth' in place of 'growth'"),
        (
            "\nspare_type,",
            "\nmore,0,0,more\nspare_type,",
            "line 48: there is 'more' in place of 'spare_type'",
        ),
        ("\nprice_late,", "\n#,0,0,x\nprice_late,", "line 12: there is '#' in place of 'price_late'"),
    ],
)
def test_a_table_of_weights_with_another_order_is_refused(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=said):
        read_named(change_table(tmp_path, "heuristic.csv", old, new), "table")


def test_a_table_of_weights_that_is_too_short_or_too_long_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "heuristic.csv"
    lines = (FOLDER / "heuristic.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:-1]), encoding="utf-8")
    with pytest.raises(ConfigError, match="ends before 'named'"):
        read_named(path, "solo")
    path.write_text("".join([*lines, "more,0,0,more\n"]), encoding="utf-8")
    with pytest.raises(ConfigError, match="line 50: there is 'more' in place of nothing more"):
        read_named(path, "solo")


def test_a_kind_without_a_line_has_no_bias(tmp_path: Path) -> None:
    """So a new card can be played with before anything is learnt about it."""
    whole = read_biases(FOLDER / "kinds.csv", "table")
    lines = (FOLDER / "kinds.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    path, gone = tmp_path / "kinds.csv", kinds(EXPANSIONS)[80]
    path.write_text("".join(line for line in lines if not line.startswith(f"{gone.id},")), encoding="utf-8")
    found = read_biases(path, "table")
    assert whole[:, gone.index].any()
    whole[:, gone.index] = 0
    assert found.tolist() == whole.tolist()


def test_biases_of_a_kind_that_does_not_exist_are_refused(tmp_path: Path) -> None:
    path = change_table(tmp_path, "kinds.csv", "\nfinancial_center,", "\nfinancial_centre,")
    with pytest.raises(
        ConfigError, match="line 2: there is no kind 'financial_centre'; did you mean 'financial_center'"
    ):
        read_biases(path, "table")
