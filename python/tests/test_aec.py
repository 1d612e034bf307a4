"""2048 for two players, in PettingZoo."""

import copy
import pickle

import afterstate2048
import gymnasium
import numpy as np
import pytest
from afterstate2048 import Game, State, aec
from pettingzoo.test import api_test, seed_test


@pytest.mark.parametrize("make", [aec.env, aec.Game2048AEC])
@pytest.mark.parametrize("size", [2, "3x4", (6, 6)])
def test_the_api_of_pettingzoo(make, size):
    api_test(make(size=size), num_cycles=300)
    seed_test(lambda: make(size=size), num_cycles=50)


def play(env, choose):
    """Plays a game with a function of agent, board and info. Returns the sum of each agent's rewards."""
    told = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        board, reward, terminated, _, info = env.last()
        told[agent] += reward
        env.step(None if terminated else choose(agent, board, info))
    return told


def test_a_tile_that_draws_makes_the_game_of_one_player():
    """Moves, tiles, rewards and the end are those of a Game, whose tiles are the tile's actions."""
    env = aec.env(size="3x3")
    env.reset(seed=3)
    for number in range(3):
        game = Game("3x3", seed=3, game=number)

        def choose(agent, board, info, game=game):
            if agent == "player_0":
                assert (board == game.board).all() and info["action_mask"].nonzero()[0].tolist() == game.legal
                move = game.legal[-1]
                game.move(move)
                return int(move)
            cell = int(np.flatnonzero(board != game.board)[0])
            return 2 * cell + int(game.board.flat[cell]) - 1

        told = play(env, choose)
        assert told == {"player_0": game.score, "tile_0": -game.score}
        assert game.over and env.unwrapped.score == game.score
        env.reset()


def test_what_the_tile_may_do():
    env = aec.Game2048AEC("2x3", p4=0.25)
    env.reset(options={"board": "2,2,0/0,0,0", "score": 8})
    assert env.agent_selection == "player_0" and set(env.infos["player_0"]) == {"action_mask"}
    env.step(3)
    state = State(board="2,2,0/0,0,0", p4=0.25).child(3)
    info = env.infos["tile_0"]
    assert env.agent_selection == "tile_0" and env.score == 12 and env.rewards == {"player_0": 4, "tile_0": -4}
    assert {a: p for a, p in enumerate(info["probabilities"]) if p} == dict(state.chance_outcomes())
    assert info["action_mask"].nonzero()[0].tolist() == state.legal_actions()
    assert not env.infos["player_0"]["action_mask"].any()
    for p4, kinds in ((0, {0}), (1, {1})):
        env = aec.Game2048AEC(p4=p4)
        env.reset(seed=1)
        env.step(int(env.infos["player_0"]["action_mask"].argmax()))
        assert {int(action) % 2 for action in env.infos["tile_0"]["action_mask"].nonzero()[0]} == kinds


def test_copies_play_on_alike():
    env = aec.Game2048AEC(2)
    env.reset(seed=1)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        first = lambda agent, board, info: int(info["action_mask"].argmax())  # noqa: E731
        assert play(twin, first) == play(copy.deepcopy(env), first) and env.score == 0


def test_illegal_actions_and_errors():
    env = aec.env(size=2)
    env.reset(options={"board": "2,4/0,0"})
    env.step(0)
    assert env.terminations == {"player_0": True, "tile_0": True} and env.rewards["player_0"] == -1
    env = aec.Game2048AEC(2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.observe("player_0")
    env.reset(options={"board": "2,4/0,0"})
    for attempt, message in (
        (lambda: env.step(0), "action 0 of the player: must be one of"),
        (lambda: env.reset(options={"board": "2,4/4,2"}), "no move is legal"),
        (lambda: env.reset(options={"board": "2,4,2/4,2,0"}), "the board is 2x3: must be 2x2"),
        (lambda: env.reset(seed=-1), "seed -1"),
        (lambda: aec.Game2048AEC(1), "size 1"),
        (lambda: aec.Game2048AEC(p4=2), "p4 is 2"),
        (lambda: aec.Game2048AEC(render_mode="film"), "render_mode is 'film': must be None, 'human', 'ansi' or"),
    ):
        with pytest.raises(ValueError, match=message):
            attempt()
    assert env.score == 0 and afterstate2048.tiles(env.observe("tile_0")).tolist() == [[2, 4], [0, 0]]


def test_pictures():
    single = afterstate2048.Game2048((2, 3), render_mode="rgb_array")
    env = aec.env(size=(2, 3), render_mode="rgb_array")
    single.reset(seed=4), env.reset(seed=4)
    assert (env.render() == single.render()).all()
    env = aec.env(size=2, render_mode="ansi")
    env.reset(options={"board": "2,4/0,32", "score": 10})
    assert env.render() == "score 10\n     2      4\n     .     32\n"
