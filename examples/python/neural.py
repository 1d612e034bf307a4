"""A small neural network learns 2048 by playing, on two cores, in JAX.

    pip install ./python 'jax[cpu]' matplotlib   # in the repository; matplotlib only draws the curve
    python examples/python/neural.py             # 20 minutes

Like learn.py it learns the values of afterstates, boards after a move and before the next tile: the score still to
come. The network sees the four tiles of each row and column as 64 zeros and ones. All eight lines go through one
layer of 128 units, and the results together through layers of 256 and 64 units.

Hundreds of games play 32 moves with the same weights, always the move with the largest reward + value. The target of
each afterstate mixes the rewards and values of the moves that followed: TD(lambda). Then Adam makes one pass over
these afterstates in random order; each batch is turned or mirrored. The learning rate falls linearly to zero.
"""

import argparse
import sys
import time

import afterstate2048
import jax
import jax.numpy as jnp
import numpy as np
from afterstate2048.jax_env import Game2048JAX

CELLS = np.arange(16).reshape(4, 4)
LINES = np.concatenate([CELLS, CELLS.T])
KINDS = 16  # of cells: empty, 2, 4 ... 32768
LAYERS = (4 * KINDS, 128), (8 * 128, 256), (256, 64), (64, 1)
POINTS = 2048  # unit of values and targets
MOVES, BATCH, LAMBDA = 32, 1024, 0.8
ENV = Game2048JAX("4x4", autoreset=True)


def begin(key):
    """Weights of a new network: a matrix and a vector for each layer. Every board has the value 0."""
    weights = []
    for k, (inputs, units) in zip(jax.random.split(key, len(LAYERS)), LAYERS, strict=True):
        ones = 4 if inputs == 4 * KINDS else inputs  # inputs that are not 0 at the same time
        matrix = jax.random.normal(k, (inputs, units)) * (2 / ones) ** 0.5
        weights.append((jnp.zeros_like(matrix) if units == 1 else matrix, jnp.zeros(units)))
    return weights


def value(weights, boards):
    """Values of n boards, uint8 (n, 4, 4)."""
    lines = jax.nn.one_hot(boards.reshape(-1, 16)[:, LINES], KINDS).reshape(-1, 8, 4 * KINDS)
    (first, bias), *rest = weights
    x = jax.nn.relu(lines @ first + bias).reshape(len(boards), -1)
    for matrix, bias in rest[:-1]:
        x = jax.nn.relu(x @ matrix + bias)
    matrix, bias = rest[-1]
    return (x @ matrix + bias)[:, 0]


def choose(weights, boards):
    """The best move of each board, its reward + value, its points, and its afterstate with its value."""
    after, merged, legal = jax.vmap(ENV.afterstates)(boards)
    worth = value(weights, after.reshape(-1, 4, 4)).reshape(-1, 4)
    total = jnp.where(legal, merged / POINTS + worth, -jnp.inf)
    best, n = total.argmax(1), jnp.arange(len(boards))
    return best, total[n, best], merged[n, best], after[n, best], worth[n, best]


@jax.jit
def play(weights, games):
    """Plays MOVES moves of each game. Returns the games, afterstates with their targets, and the sum of the scores and
    the number of games that ended."""

    def move(games, _):
        best, total, points, after, worth = choose(weights, games.board)
        then = jax.vmap(ENV.step)(games, best)
        return then, (after, worth, total, then.done, jnp.where(then.done, games.score + points, 0))

    def back(target, step):
        worth, total, done = step  # the next move's, and whether this move ended its game
        target = jnp.where(done, 0, total + LAMBDA * (target - worth))
        return target, target

    games, (after, worth, total, done, scores) = jax.lax.scan(move, games, length=MOVES)
    _, targets = jax.lax.scan(back, worth[-1], (worth[1:], total[1:], done[:-1]), reverse=True)
    return games, after[:-1].reshape(-1, 4, 4), targets.ravel(), scores.sum(), done.sum()


def turned(boards, k):
    """The boards in symmetry k, from 0 to 7."""
    boards = jnp.where(k & 1, boards[:, ::-1], boards)
    boards = jnp.where(k & 2, boards[:, :, ::-1], boards)
    return jnp.where(k & 4, boards.transpose(0, 2, 1), boards)


@jax.jit
def learn(state, boards, targets, key, rate):
    """One pass of Adam (Kingma and Ba 2015). state is the weights, the means of gradients and of their squares, and the
    number of steps."""

    def loss(weights, boards, targets):
        return jnp.mean((value(weights, boards) - targets) ** 2)

    def step(state, batch):
        (weights, means, squares, n), (chosen, k) = state, batch
        slopes = jax.grad(loss)(weights, turned(boards[chosen], k), targets[chosen])
        n += 1
        means = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, means, slopes)
        squares = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, squares, slopes)
        size = rate * (1 - 0.999**n) ** 0.5 / (1 - 0.9**n)
        weights = jax.tree.map(lambda w, m, s: w - size * m / (s**0.5 + 1e-8), weights, means, squares)
        return (weights, means, squares, n), None

    order, turn = jax.random.split(key)
    batches = len(boards) // BATCH
    order = jax.random.permutation(order, len(boards))[: batches * BATCH].reshape(batches, BATCH)
    return jax.lax.scan(step, state, (order, jax.random.randint(turn, batches, 0, 8)))[0]


def train(args, tell):
    """Plays and learns until the time is up, and reports results regularly. Returns the weights."""
    keys = jax.random.split(jax.random.key(args.seed), 3)
    weights = begin(keys[0])
    zeros = jax.tree.map(jnp.zeros_like, weights)
    state, key = (weights, zeros, zeros, jnp.float32(0)), keys[2]
    games = jax.jit(jax.vmap(ENV.reset))(jax.random.split(keys[1], args.games))
    start, told, moves, points, ended = time.monotonic(), 0, 0, 0, 0
    while True:
        seconds = time.monotonic() - start
        part = moves / args.moves if args.moves else seconds / (60 * args.minutes)
        if ended and (part >= 1 or seconds - told >= 20):
            tell(seconds / 60, moves, ended, points / ended)
            told, points, ended = seconds, 0, 0
        if part >= 1:
            return state[0]
        key, now = jax.random.split(key)
        games, boards, targets, scores, over = play(state[0], games)
        state = learn(state, boards, targets, now, args.rate * (1 - part))
        moves, points, ended = moves + MOVES * args.games, points + int(scores), ended + int(over)


def evaluate(weights, n):
    """Scores and largest tiles, as exponents, of games 0, 1, ... n - 1 of seed 1, with the best move at one ply."""
    best = jax.jit(lambda boards: choose(weights, boards)[0])
    envs = afterstate2048.Game2048Vector(n, autoreset_mode="SameStep")
    boards, _ = envs.reset(seed=1)
    result = np.zeros((n, 2), np.int64)
    while not result[:, 1].all():
        boards, _, over, _, info = envs.step(np.asarray(best(boards)))
        for i in np.flatnonzero(over & (result[:, 1] == 0)):
            result[i] = info["final_info"]["score"][i], info["final_obs"][i].max()
    return result


def main():
    parser = argparse.ArgumentParser(description="Learn 2048 with a small neural network, in JAX.")
    parser.add_argument("--minutes", type=float, default=20, help="how long to learn")
    parser.add_argument("--moves", type=int, default=0, help="number of moves to learn from, instead of a time limit")
    parser.add_argument("--games", type=int, default=256, help="games at a time")
    parser.add_argument("--rate", type=float, default=1e-3, help="Adam's learning rate at the beginning")
    parser.add_argument("--seed", type=int, default=0, help="of the network and its games")
    parser.add_argument("--test", type=int, default=100, help="games to play in the end")
    parser.add_argument("--out", default="neural", help="where curve and weights go, without the ending")
    args = parser.parse_args()
    rows = []

    def tell(*row):
        rows.append(row)
        print("{:6.2f} min {:>10} moves {:>6} games  mean score {:8.0f}".format(*row), file=sys.stderr)

    weights = train(args, tell)
    np.savez(args.out + ".npz", *jax.tree.leaves(weights))
    np.savetxt(args.out + ".csv", rows, "%.10g", ",", header="minutes,moves,games,mean_score", comments="")
    scores, largest = evaluate(weights, args.test).T
    error = 1.96 * scores.std() / len(scores) ** 0.5
    print(f"{len(scores)} games: mean score {scores.mean():.0f} +- {error:.0f}, 2048 in {(largest >= 11).mean():.0%}")
    try:
        from matplotlib import pyplot
    except ImportError:
        return
    minutes, _, _, means = np.array(rows).T
    figure, axes = pyplot.subplots()
    axes.plot(minutes, means)
    axes.set(xlabel="minutes", ylabel="mean score of games that ended")
    figure.savefig(args.out + ".png")


if __name__ == "__main__":
    main()
