"""Learns 2048 by playing hundreds of games at a time, in NumPy alone.

    pip install ./python matplotlib      # in the repository; matplotlib only draws the curve
    python examples/python/learn.py      # ten minutes

It learns the values of afterstates, boards after a move and before the next tile: the
score still to come. The value is a sum of weights, each selected by the tiles of four cells: in
a row, a square, and the other tuples below, under all four rotations of the board. The best
move has the largest reward + value of its afterstate, and the value of the afterstate before it
is then moved towards that sum, or towards 0 where the game ended: TD(0) on afterstates. A
weight's step is |sum of its errors| / sum of |its errors| of the way, shared by all weights of a
board: temporal coherence, with large steps while the errors have the same sign."""

import argparse
import os
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # with matrices this small threads only wait for each other

import afterstate2048  # noqa: F401 - it registers the environment
import gymnasium
import numpy as np

TUPLES = (0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 2, 4), (0, 1, 4, 5), (1, 2, 5, 6), (5, 6, 9, 10)
SIDES, ENTRIES = 4, 16**4


class Values:
    """The weights: a table for each tuple, one after another."""

    def __init__(self):
        cells = np.arange(16).reshape(4, 4)
        sides = [np.rot90(cells, k).ravel() for k in range(SIDES)]
        # Exponents times powers of 16 are a tuple's place in its table: one matrix
        # product for all tuples, exact in float32.
        self.powers = np.zeros((len(TUPLES) * SIDES, 16), np.float32)
        for row, (cells, side) in enumerate((t, s) for t in TUPLES for s in sides):
            self.powers[row, side[list(cells)]] = 16.0 ** np.arange(4)
        self.tables = np.repeat(np.arange(len(TUPLES), dtype=np.float32) * ENTRIES, SIDES)[:, None]
        self.weights, self.sums, self.sizes, self.counts = np.zeros((4, len(TUPLES) * ENTRIES), np.float32)

    def places(self, boards):
        """The indices of the weights of n boards, uint8 (n, 4, 4): an array (tuples x sides, n)."""
        exponents = np.minimum(boards, 15).reshape(-1, 16).astype(np.float32)
        return (self.powers @ exponents.T + self.tables).astype(np.intp)

    def learn(self, places, errors):
        """Changes the value of each column of places by its error; a shared weight, by the mean of its errors."""
        np.add.at(self.counts, places, np.float32(1))
        errors = errors / self.counts[places]
        self.counts[places] = 0
        sizes = self.sizes[places]
        rate = np.where(sizes > 0, np.abs(self.sums[places]) / np.maximum(sizes, 1e-30), 1)
        np.add.at(self.weights, places, rate * errors / len(places))
        np.add.at(self.sums, places, errors)
        np.add.at(self.sizes, places, np.abs(errors))


def choose(values, envs, out):
    """The best move in each game, its value, and its afterstate's value and weight indices."""
    boards, merged, legal = envs.afterstates(out)
    places = values.places(boards)
    worth = values.weights[places].sum(0).reshape(-1, 4)
    total = np.where(legal, merged + worth, -np.inf).astype(np.float32)
    best, games = total.argmax(1), np.arange(len(total))
    return best, total[games, best], worth[games, best], places.reshape(len(places), -1, 4)[:, games, best]


def make(n, seed):
    envs = gymnasium.make_vec("afterstate/Game2048-v0", num_envs=n, autoreset_mode="SameStep", copy=False)
    envs.reset(seed=seed)
    return envs, envs.afterstates()


def train(values, args, tell):
    """Plays and learns until the time is up, and reports results regularly."""
    envs, out = make(args.envs, args.seed)
    begin, ended, told, before = time.monotonic(), [], 0, None
    for step in range(sys.maxsize):
        seconds = time.monotonic() - begin
        enough = step >= args.steps if args.steps else seconds >= 60 * args.minutes
        if ended and (enough or seconds - told >= 10):
            tell(seconds / 60, step * args.envs, np.concatenate(ended))
            told, ended = seconds, []
        if enough:
            return
        moves, best, worth, places = choose(values, envs, out)
        if before is not None:
            places_before, worth_before, over = before
            values.learn(places_before, np.where(over, 0, best) - worth_before)
        _, _, over, _, info = envs.step(moves)
        before = places, worth, over.copy()
        if over.any():
            last = [board.max() for board in info["final_obs"][over]]
            ended.append(np.column_stack([info["final_info"]["score"][over], last]))


def evaluate(values, n, seed):
    """Scores and largest tiles, as exponents, of n games without learning."""
    envs, out = make(n, seed)
    result = np.zeros((n, 2), np.int64)
    while not result[:, 1].all():
        _, _, over, _, info = envs.step(choose(values, envs, out)[0])
        for i in np.flatnonzero(over & (result[:, 1] == 0)):
            result[i] = info["final_info"]["score"][i], info["final_obs"][i].max()
    return result


def report(rows, tested, path):
    """Writes the curve as a table and, with matplotlib, as a picture; prints the result."""
    np.savetxt(path + ".csv", rows, "%.10g", ",", header="minutes,moves,games,mean_score,share_2048", comments="")
    share, n = (tested[:, 1] >= 11).mean(), len(tested)
    middle, half = (share + 1.92 / n) / (1 + 3.84 / n), 1.96 / (1 + 3.84 / n) * np.sqrt(share * (1 - share) / n + 0.96 / n**2)
    print(f"{n} games: mean score {tested[:, 0].mean():.0f}, 2048 in {share:.1%} [{middle - half:.1%}, {middle + half:.1%}]")
    try:
        from matplotlib import pyplot
    except ImportError:
        return
    minutes, _, _, scores, shares = np.array(rows).reshape(-1, 5).T
    figure, left = pyplot.subplots(subplot_kw={"xlabel": "minutes"})
    left.plot(minutes, scores, label="mean score")
    left.twinx().plot(minutes, shares, "C1--", label="share with 2048")
    figure.legend()
    figure.savefig(path + ".png")


def main():
    parser = argparse.ArgumentParser(description="Learn 2048 in NumPy.")
    parser.add_argument("--minutes", type=float, default=10, help="how long to learn")
    parser.add_argument("--steps", type=int, default=0, help="number of steps to learn, instead of a time limit")
    parser.add_argument("--envs", type=int, default=512, help="games at a time")
    parser.add_argument("--seed", type=int, default=1000, help="of the games; arena's is 1")
    parser.add_argument("--test", type=int, default=1000, help="games to play in the end")
    parser.add_argument("--out", default="learn", help="where curve and weights go, without the ending")
    args = parser.parse_args()
    values, rows = Values(), []

    def tell(minutes, moves, games):
        rows.append((round(minutes, 3), moves, len(games), round(games[:, 0].mean(), 1), round((games[:, 1] >= 11).mean(), 4)))
        print("{:6.2f} min {:>10} moves {:>6} games  mean score {:8.0f}  2048 in {:.0%}".format(*rows[-1]), file=sys.stderr)

    train(values, args, tell)
    np.save(args.out + ".npy", values.weights)
    report(rows, evaluate(values, args.test, 2**40 + args.seed), args.out)


if __name__ == "__main__":
    main()
