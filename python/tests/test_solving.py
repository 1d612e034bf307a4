"""Exact values of small boards."""

import os

import numpy as np
import pytest
from conftest import run

import afterstate2048


def test_the_published_values():
    two = afterstate2048.solve((2, 2))
    assert (two.size, two.states, two.goal, two.probability, two.p4) == ((2, 2), 110, None, None, 0.1)
    assert abs(two.expected_score - 66.964149457101) < 1e-10
    turned = afterstate2048.solve((3, 2), goal=128)
    assert abs(turned.probability - 0.056992160496) < 1e-10 and turned.expected_score is None and turned.goal == 128
    assert afterstate2048.solve((2, 3), spawn="adversary").expected_score == 40
    assert afterstate2048.solve((2, 2), p4=1).expected_score > 100


def test_wrong_arguments():
    for size, options in [((4, 4), {}), ((2, 2), {"goal": 64}), ((2, 2), {"goal": 12}), ((2, 2), {"p4": 2}), ((2, 2), {"spawn": "rare"})]:
        with pytest.raises(ValueError):
            afterstate2048.solve(size, **options)
    with pytest.raises(TypeError):
        afterstate2048.solve((2, 2), goal=8.5)


def test_players_use_what_is_solved(tmp_path):
    printed = run(
        """
        import afterstate2048

        board = "0,0,2,0/0,2,0,0"
        for attempt in (
            lambda: afterstate2048.analyze(board, "perfect(goal=16)"),
            lambda: afterstate2048.best_moves([board], "perfect(p4=0.2)"),
            lambda: afterstate2048.best_move("2,2,0/0,0,0/0,0,0", "perfect"),
        ):
            try:
                attempt()
            except ValueError as error:
                print(error)
        print(afterstate2048.solve((2, 4), goal=16).probability, afterstate2048.analyze(board, "perfect(goal=16)").source)
        """,
        env=dict(os.environ, XDG_CACHE_HOME=str(tmp_path)),
    )
    assert 'use afterstate2048.solve("2x4", goal=16) (about' in printed and printed.endswith("1 exact\n"), printed
    assert 'afterstate2048.solve("2x4", p4=0.2)' in printed and '3x3 is not solved yet: use afterstate2048.solve("3x3")' in printed
    assert len(list(tmp_path.glob("afterstate/solved/*.table"))) == 1


def test_exact_reasons():
    why = afterstate2048.explain("0,2,4/2,8,4", tiles=[64], games=20, score=40)
    assert why.exact_tiles == (16, 32, 64, 128)
    assert np.isnan(why.exact_chances[afterstate2048.Direction.RIGHT]).all()
    assert abs(why.exact_chances[afterstate2048.Direction.DOWN, 2] - 0.936193) < 1e-6
    assert abs(why.exact_score[afterstate2048.Direction.DOWN] - 498.654167) < 1e-5
    other = afterstate2048.explain("2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,2", "greedy", games=5)
    assert other.exact_tiles == () and other.exact_chances.shape == (4, 0) and np.isnan(other.exact_score).all()
