"""The game as a tree of moves and chance outcomes, held against OpenSpiel, exact values and games."""

import copy
import functools
import pickle
import re
from ast import literal_eval
from pathlib import Path

import afterstate2048
import numpy as np
import pytest
from afterstate2048 import Game, State

PLAYTHROUGH = (Path(__file__).parent / "openspiel_2048.txt").read_text()


def test_a_playthrough_of_openspiel():
    """The same actions lead to the same boards, with the same outcomes, legal actions and rewards."""
    state, checks = State(stop=2048), 0
    said = {
        "IsTerminal()": State.is_terminal,
        "CurrentPlayer()": State.current_player,
        "Rewards()": State.rewards,
        "Returns()": State.returns,
        "LegalActions()": State.legal_actions,
        "StringLegalActions()": lambda s: [s.action_to_string(s.current_player(), a) for a in s.legal_actions()],
    }
    for part in PLAYTHROUGH.split("# State ")[1:]:
        rows = [[int(tile) for tile in row.split()] for row in re.findall("(?m)^#  (.*)$", part)]
        assert not rows or afterstate2048.tiles(state.board).tolist() == rows
        for name, value in re.findall(r"(?m)^(\w+\(\)) = (.*)$", part):
            checks += 1
            if name == "ChanceOutcomes()":
                assert dict(state.chance_outcomes()) == pytest.approx(dict(literal_eval(value)), rel=1e-5)
            else:
                assert said[name](state) == literal_eval(value), name
        for action in re.findall(r"(?m)^action: (\d+)$", part):
            state.apply_action(int(action))
    assert checks > 30 and state.is_terminal() and state.returns() == [600]


@pytest.mark.parametrize(("size", "p4"), [((2, 2), 0.1), ("2x2", 0.0), (2, 0.75)])
def test_the_expected_score_of_perfect_play(size, p4):
    """Expectimax over the whole tree finds the exact value."""

    @functools.cache
    def best(board, moving):
        state = states[board, moving]
        if state.is_terminal():
            return 0.0
        found = []
        for action in state.legal_actions():
            child = state.child(action)
            key = child.board.tobytes(), child.is_chance_node()
            states[key] = child
            found.append(child.rewards()[0] * (not state.is_chance_node()) + best(*key))
        if state.is_chance_node():
            return float(np.dot([chance for _, chance in state.chance_outcomes()], found))
        return max(found)

    states, total = {}, 0.0
    start = State(size, p4=p4)
    for first, chance in start.chance_outcomes():
        child = start.child(first)
        for second, next_chance in child.chance_outcomes():
            begun = child.child(second)
            key = begun.board.tobytes(), False
            states[key] = begun
            total += chance * next_chance * best(*key)
    assert total == pytest.approx(afterstate2048.solve(size, p4=p4).expected_score, rel=1e-9)


@pytest.mark.parametrize("size", ["2x3", (4, 4), "6x5"])
def test_games_are_paths_of_the_tree(size):
    game = Game(size, seed=3)
    state = State(board=game.board)
    rng = np.random.default_rng(1)
    for _ in range(150):
        assert state.legal_actions() == game.legal and state.is_terminal() == game.over
        if game.over:
            break
        move = game.legal[rng.integers(len(game.legal))]
        reward = game.move(move)
        state.apply_action(move)
        assert state.is_chance_node() and state.rewards() == [reward]
        assert state.returns() == [game.score] == [state.score]
        cell = int(np.flatnonzero(state.board != game.board)[0])
        state.apply_action(2 * cell + int(game.board.flat[cell] - 1))
        assert (state.board == game.board).all()


def test_outcomes():
    state = State("2x3", p4=0.25)
    assert state.is_chance_node() and state.current_player() == State.CHANCE == -1
    assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
    assert dict(state.chance_outcomes())[1] == pytest.approx(0.25 / 6)
    for p4, kinds in ((0, {0}), (1, {1})):
        assert {action % 2 for action, _ in State(p4=p4).chance_outcomes()} == kinds
    assert State(board="2,4/4,2").current_player() == State.TERMINAL == -4
    assert State(board="2,4/4,2").legal_actions() == []


def test_copies_are_independent():
    state = State(2)
    state.apply_action(3)
    before = state.board
    for twin in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state)), state.child(0)):
        twin.apply_action(twin.legal_actions()[0])
        assert (state.board == before).all() and state.history() == [3] and not (twin.board == before).all()


def test_the_tile_that_ends_a_game():
    state = State(board="16,16,0/2,0,0", stop=32, score=8)
    state.apply_action(3)
    assert state.is_terminal() and state.legal_actions() == [] and state.returns() == [40]
    assert not State(board="16,16,0/2,0,0", score=8).child(3).is_terminal()


@pytest.mark.parametrize(
    ("attempt", "error", "message"),
    [
        (lambda: State(board="2,2/4,0").apply_action(4), ValueError, "action 4 of the player: must be one of"),
        (lambda: State(board="2,4/0,0").apply_action(0), ValueError, "action 0 of the player"),
        (lambda: State().apply_action(32), ValueError, "action 32 of chance: must be one of"),
        (lambda: State().apply_action(1.0), TypeError, "action is 1.0"),
        (lambda: State(board="2,2/4,0").chance_outcomes(), ValueError, "this is no chance node"),
        (lambda: State(stop=100), ValueError, "stop is 100: must be a power of two"),
        (lambda: State(score=5), ValueError, "score 5 without a board"),
        (lambda: State(p4=2), ValueError, "p4 is 2"),
    ],
)
def test_what_is_refused(attempt, error, message):
    with pytest.raises(error, match=message):
        attempt()
