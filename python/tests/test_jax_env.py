"""The environment in JAX, whose rules are written a second time, held against the engine."""

import afterstate2048
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from afterstate2048.jax_env import EnvState, Game2048JAX


def begin(env, games, seed=1):
    """The first states of games, and the jitted step of all."""
    keys = jax.random.split(jax.random.key(seed), games)
    return jax.jit(jax.vmap(env.reset))(keys), jax.jit(jax.vmap(env.step))


def read(state):
    """The arrays of a state in NumPy, besides the key."""
    return EnvState(*(np.asarray(part) for part in state[:-1]), None)


def choose(mask, rng):
    """A legal action of each game: the lowest in every second one, which makes large tiles, else a random one."""
    priority = rng.random(mask.shape)
    priority[::2] = [0.9, 0.8, 0.7, 0.6]
    return np.where(mask, priority, -1).argmax(1)


@pytest.mark.parametrize(("size", "games"), [("4x4", 1000), ("2x2", 200), ("2x3", 200), ("5x3", 100), ("6x6", 20)])
def test_games_are_those_of_the_engine(size, games):
    """The engine replays the moves, and the tiles that JAX drew: boards, rewards, legal moves, scores, ends are equal."""
    state, step = begin(Game2048JAX(size), games)
    seen = read(state)
    boards, scores = seen.board.copy(), np.zeros(games, np.int64)
    assert ((boards > 0).sum((1, 2)) == 2).all() and boards.max() == 2 and not seen.done.any()
    rng, every, moves, merges = np.random.default_rng(1), np.arange(games), 0, 0
    after, rewards, legal = afterstate2048.afterstates(boards)
    while legal.any():
        playing, actions = legal.any(1), choose(legal, rng)
        state = step(state, actions)
        seen = read(state)
        boards = np.where(playing[:, None, None], after[every, actions], boards)
        new = seen.board != boards
        assert (new.sum((1, 2)) == playing).all() and not boards[new].any()
        assert np.isin(seen.board[new], (1, 2)).all()
        boards[new] = seen.board[new]
        reward = np.where(playing, rewards[every, actions], 0)
        scores += reward
        after, rewards, legal = afterstate2048.afterstates(boards)
        assert (seen.reward == reward).all() and (seen.score == scores).all()
        assert (seen.action_mask == legal).all() and (seen.done == ~legal.any(1)).all()
        moves, merges = moves + playing.sum(), merges + (reward > 0).sum()
    assert moves > 5 * games and merges > games


@pytest.mark.parametrize("size", ["4x4", "2x5", "6x3", "6x6"])
def test_afterstates_are_those_of_the_engine(size):
    """On boards with many merges and with the largest tiles."""
    env, rng = Game2048JAX(size), np.random.default_rng(1)
    rows, columns = env.size
    low = rng.integers(0, 25, (4000, 1, 1))  # tiles from 2^low
    boards = rng.integers(low, low + 3, (4000, rows, columns)) * (rng.random((4000, rows, columns)) < 0.7)
    boards = np.minimum(boards, min(rows * columns + 1, 29)).astype(np.uint8)
    found = jax.jit(jax.vmap(env.afterstates))(boards)
    for got, want in zip(found, afterstate2048.afterstates(boards), strict=True):
        assert got.shape == want.shape and (got == want.astype(got.dtype)).all()
    assert [str(part.dtype) for part in found] == ["uint8", "float32", "bool"]


def test_autoreset_begins_the_next_game():
    """The state after the last step is that of a new game; its reward and done are those of the game that ended."""
    env = Game2048JAX("2x3", autoreset=True)
    state, step = begin(env, 300)
    seen, rng, every, ends = read(state), np.random.default_rng(1), np.arange(300), 0
    for _ in range(200):
        after, rewards, legal = afterstate2048.afterstates(seen.board)
        assert (legal == seen.action_mask).all() and legal.any(1).all()
        actions = choose(legal, rng)
        state = step(state, actions)
        before, seen, slid = seen, read(state), after[every, actions]
        over = seen.done
        assert (seen.reward == rewards[every, actions]).all()
        assert (seen.score == np.where(over, 0, before.score + seen.reward)).all()
        assert ((seen.board != slid)[~over].sum((1, 2)) == 1).all() and ((seen.board[over] > 0).sum((1, 2)) == 2).all()
        last = slid[over]  # a 2 or a 4 in its only empty cell ends the game
        full = np.concatenate([np.where(last == 0, np.uint8(tile), last) for tile in (1, 2)])
        dead = ~afterstate2048.afterstates(full)[2].any(1)
        assert ((last == 0).sum((1, 2)) == 1).all() and dead.reshape(2, -1).any(0).all()
        ends += over.sum()
    assert ends > 1000


@pytest.mark.parametrize("p4", [0, 0.75, 1])
def test_new_tiles(p4):
    """The cells are equally probable, and a 4 has the probability p4: both within 4 standard errors."""
    env = Game2048JAX("3x4", p4=p4)
    state, step = begin(env, 24000)
    boards = np.array(state.board)
    found, tiles = (boards > 0).mean(0), boards[boards > 0]
    assert np.abs(found - 2 / 12).max() < 4 * np.sqrt(1 / 6 * 5 / 6 / 24000)
    assert abs((tiles == 2).mean() - p4) <= 4 * np.sqrt(p4 * (1 - p4) / tiles.size)
    begun = jnp.zeros((24000, 3, 4), jnp.uint8).at[:, 0, :2].set(1)
    state = step(state._replace(board=begun), jnp.full(24000, 3))  # left: a 4 in the corner, and 11 empty cells
    new = np.array(state.board).reshape(24000, 12)
    assert (new[:, 0] == 2).all() and ((new > 0).sum(1) == 2).all()
    assert np.abs((new[:, 1:] > 0).mean(0) - 1 / 11).max() < 4 * np.sqrt(1 / 11 * 10 / 11 / 24000)
    assert abs((new[:, 1:].max(1) == 2).mean() - p4) <= 4 * np.sqrt(p4 * (1 - p4) / 24000)


def test_moves_that_change_nothing():
    env = Game2048JAX(2)
    step = jax.jit(env.step)
    for rows, actions in (([[1, 2], [0, 0]], [0]), ([[1, 2], [2, 1]], [0, 1, 2, 3])):
        state = env.reset(jax.random.key(1))._replace(board=jnp.array(rows, jnp.uint8), score=jnp.int32(20))
        for action in actions:
            then = step(state, action)
            assert (then.board == state.board).all() and (then.reward, then.score) == (0, 20)
            assert then.done == (len(actions) == 4)


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("key", [jax.random.key, jax.random.PRNGKey])
def test_states_keep_their_types(x64, key):
    """A scan carries them, with both kinds of keys and with types of 64 bits; the same key plays the same game."""
    env = Game2048JAX("4x4", autoreset=True)

    @jax.jit
    def play(key):
        first = lambda state, _: (env.step(state, state.action_mask.argmax()), None)  # noqa: E731
        return jax.lax.scan(first, env.reset(key), length=300)[0]

    with jax.enable_x64(x64):
        state, again, other = (play(key(seed)) for seed in (1, 1, 2))
    types = EnvState("uint8", "bool", "float32", "bool", "int32", state.key.dtype)
    shapes = EnvState((4, 4), (4,), (), (), (), state.key.shape)
    assert all(part.dtype == kind for part, kind in zip(state, types, strict=True))
    assert tuple(part.shape for part in state) == shapes
    assert (state.board == again.board).all() and not (state.board == other.board).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [({"size": 1}, "size 1: must be rows and columns"), ({"p4": 2}, "p4 is 2: must be the probability of a 4")],
)
def test_what_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Game2048JAX(**options)
