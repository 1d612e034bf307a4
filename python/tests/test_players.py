"""Players, asked from Python."""

import json
import re
import subprocess

import afterstate2048
import numpy as np
import pytest
from afterstate2048 import Direction
from conftest import ROOT

BOARD = "2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2"
DEAD = "2,4/4,2"


def positions(n):
    lines = (ROOT / "docs/positions.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")][:n]


def test_best_move_takes_every_notation():
    rows = [[2, 2], [0, 4]]
    for board in ("2,2/0,4", rows, np.array(rows), np.array([[1, 1], [0, 2]], np.uint8)):
        assert afterstate2048.best_move(board) is Direction.RIGHT
    assert str(Direction.RIGHT) == "right" and afterstate2048.best_move(DEAD) is None
    assert afterstate2048.best_move(BOARD, time_ms=5000, score=3) == afterstate2048.best_move(BOARD)


def test_analysis_is_the_decision_of_the_command(afterstate_program):
    for spec in ("snake", "greedy", "expectimax(eval=gradient,plies=2)", "auto"):
        done = subprocess.run([afterstate_program, "best", "--json", "--player", spec, BOARD], capture_output=True, check=True)
        want = json.loads(done.stdout)
        got = afterstate2048.analyze(BOARD, spec)
        assert (str(got.move), got.player, got.unit, got.plies, got.nodes, got.source) == tuple(
            want[key] for key in ("move", "player", "unit", "plies", "nodes", "source")
        )
        assert afterstate2048.tiles(got.board).tolist() == want["board"] and got.elapsed_ms >= 0
        for direction in Direction:
            value = want["moves"][str(direction)]["value"]
            assert got.values[direction] == value or (value is None and not np.isfinite(got.values[direction]))
        assert got.losses[got.move] == 0


def test_analysis_of_moves_without_a_value():
    dead = afterstate2048.analyze(DEAD)
    assert dead.move is None and np.isnan(dead.values).all() and np.isnan(dead.losses).all()
    lost = afterstate2048.analyze("2,16,2/64,32,16/4,4,2", "snake")
    assert lost.values[Direction.LEFT] == -np.inf and np.isnan(lost.values[Direction.UP])


def test_reasons_are_those_of_the_command(afterstate_program):
    board = "64,32,16/8,4,2/2,4,0"
    for spec in ("greedy", "snake(depth=0)"):
        command = [afterstate_program, "best", "--why", "--tiles", "128,256", "--games", "100", "--seed", "4", "--json", "--player", spec, board]
        want = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["why"]
        got = afterstate2048.explain(board, spec, tiles=[128, 256], games=100, seed=4, time_ms=10_000)
        assert (got.games, got.whole_games, got.horizon) == tuple(want[key] for key in ("games", "whole_games", "horizon_moves"))
        assert got.tiles == (128, 256, 512, 1024) and str(got.trusted) == want["verdict"]["trusted"]
        for direction in Direction:
            move = want["moves"].get(str(direction))
            if move is None:
                assert np.isnan(got.chances[direction]).all() and np.isnan(got.score[direction])
                continue
            shares = [tile["share"] for tile in move["tiles"].values()]
            assert got.chances[direction].tolist() == shares and got.score[direction] == move["score"]["mean"]
            assert got.chance_intervals[direction].tolist() == [tile["ci95"] for tile in move["tiles"].values()]
            assert got.game_over[direction] == move["game_over"]["share"]
            assert got.length_intervals[direction].tolist() == move["length"]["ci95"]


def test_reasons_without_a_choice_and_with_wrong_arguments():
    dead = afterstate2048.explain(DEAD)
    assert dead.games == 0 and dead.tiles == () and dead.best is None and dead.trusted is None
    only = afterstate2048.explain("2,4/0,0", "greedy", games=20)
    assert only.best is None and only.trusted is Direction.DOWN and only.games == 20 and only.horizon == 50
    for wrong in ({"tiles": [3]}, {"tiles": [2]}, {"games": 0}, {"time_ms": 1e9}, {"player": "nobody"}, {"seed": -1}):
        with pytest.raises(ValueError):
            afterstate2048.explain(BOARD, **wrong)


@pytest.mark.parametrize("spec", ["snake(depth=0)", "expectimax(eval=expert,plies=3,tt=2MB,tt_lifetime=root_move)", "random"])
def test_many_boards_are_so_many_questions(spec):
    """Answers do not depend on how many threads there are, nor on what else is asked."""
    boards = [*positions(40), "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2"]
    one = afterstate2048.analyze_many(boards, spec, threads=1, seed=5)
    for threads in (0, 3):
        again = afterstate2048.analyze_many(boards, spec, threads=threads, seed=5)
        assert (again.moves == one.moves).all() and np.array_equal(again.values, one.values, equal_nan=True)
    assert one.moves[-1] == -1 and np.isnan(one.values[-1]).all()
    assert (afterstate2048.best_moves(boards, spec, seed=5) == one.moves).all()
    if spec == "random":
        assert not (afterstate2048.best_moves(boards, spec, seed=6) == one.moves).all()
        return
    assert one.unit == "heuristic"
    for i, board in enumerate(boards[:10]):
        single = afterstate2048.analyze(board, spec)
        assert single.move == one.moves[i] and np.array_equal(single.values, one.values[i], equal_nan=True)


def test_more_boards_than_a_call_takes():
    boards = np.stack([np.array([[1, 1], [0, 2]], np.uint8), np.array([[1, 2], [2, 1]], np.uint8)] * 300)
    assert afterstate2048.best_moves(boards, "greedy", scores=5).tolist() == [1, -1] * 300
    assert afterstate2048.analyze_many(boards, "greedy").unit == "points"
    assert afterstate2048.best_moves(np.empty((0, 4, 4), np.uint8)).shape == (0,)


def test_weights_from_a_file(tmp_path):
    file = tmp_path / "weights.json"
    file.write_text('{"empty": 1}')
    spec = f'expectimax(eval=sum(file="{file}"),plies=1)'
    got, want = (afterstate2048.analyze(BOARD, s).values for s in (spec, "expectimax(eval=empty,plies=1)"))
    assert np.array_equal(got, want, equal_nan=True) and np.isfinite(got).any()


def test_players_and_version():
    names = {player["name"] for player in afterstate2048.players()}
    assert {"auto", "expert", "snake", "greedy"} <= names
    source = (ROOT / "internal/version/version.go").read_text()
    assert afterstate2048.__version__ == re.search('Version = "(.+)"', source).group(1)


def test_errors_say_what_is_accepted():
    for board, spec, message in (
        (BOARD, "snak", 'no player is called "snak": did you mean snake|snake'),
        (BOARD, "snake(deep=3)", "deep"),
        (BOARD, 'exec(cmd="true")', "exec"),
        (BOARD, "foresight", "knows the coming spawns"),
        (BOARD, "ntuple(model=best)", 'model="FILE"'),
        (BOARD, 'ntuple(model="/nowhere.model")', "no such file"),
        ("2,2/2", "auto", "row"),
        ([[2, 3], [0, 0]], "auto", "3 is not a tile"),
        (np.zeros(4, np.uint8), "auto", r"shape \(4,\): must be a board"),
        (np.full((2, 2), 60, np.uint8), "auto", "60 in an array of uint8, which has exponents"),
    ):
        with pytest.raises(ValueError, match=message):
            afterstate2048.best_move(board, spec)
        if isinstance(board, str):
            with pytest.raises(ValueError, match=message):
                afterstate2048.best_moves([board], spec)
    with pytest.raises(TimeoutError):
        afterstate2048.best_move(BOARD, "expectimax(eval=gradient,plies=12)", time_ms=0.01)
    with pytest.raises(ValueError, match="must be n boards"):
        afterstate2048.best_moves(np.zeros((4, 4), np.uint8))
    with pytest.raises(ValueError, match="must be a whole number"):
        afterstate2048.best_moves([BOARD], seed=-1)
    for wrong in ([[1, 2]], [-2], [2.5], [2**60]):
        with pytest.raises(ValueError, match="is not a tile"):
            afterstate2048.exponents(wrong)
    with pytest.raises(ValueError, match="must be 0 to 48"):
        afterstate2048.tiles([-1])
    every = np.arange(49)
    assert (afterstate2048.exponents(afterstate2048.tiles(every)) == every).all()
