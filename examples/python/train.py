"""Trains a network, saves it, and measures it in games of another seed.

    pip install ./python                 # in the repository
    python examples/python/train.py      # a minute

The rate falls step by step, and late in the training every second game starts from a board that is rarely reached. The
network is saved after each tenth of the games; run it again with --resume to train on.
"""

import argparse
import os

import afterstate2048
import numpy as np


def rate(games):
    """The learning rate after a number of games: that of temporal coherence, and half of it later."""
    return 1.0 if games < 5000 else 0.5


def starts(games):
    """Boards to start from: a usual start, and one with a 1024 and a 512. The first 2,000 games all start as usual."""
    if games < 2000:
        return None
    boards = np.zeros((2, 4, 4), np.uint8)
    boards[1, 0] = 10, 9, 2, 1
    return boards


def measure(player, games, seed=1):
    """Plays games 0, 1, ... of a seed, all at the same time, and returns their scores."""
    envs = afterstate2048.Game2048Vector(games, autoreset_mode="SameStep")
    boards, info = envs.reset(seed=seed)
    scores = np.full(games, -1)
    while (scores < 0).any():
        moves = afterstate2048.best_moves(boards, player=player)
        boards, _, over, _, info = envs.step(np.maximum(moves, 0))
        first = over & (scores < 0)
        if first.any():
            scores[first] = info["final_info"]["score"][first]
    return scores


def main():
    parser = argparse.ArgumentParser(description="Train a network, save it and measure it.")
    parser.add_argument("--network", default="4x5", help="a name such as 4x6, or patterns by cell")
    parser.add_argument("--games", type=int, default=10_000, help="games to train")
    parser.add_argument("--seed", type=int, default=1000, help="of the games to train")
    parser.add_argument("--test", type=int, default=200, help="games to measure")
    parser.add_argument("--out", default="train.model", help="file of the network")
    parser.add_argument("--resume", action="store_true", help="train the network of the file on")
    args = parser.parse_args()

    functions = {"rate": rate, "starts": starts}
    if args.resume and os.path.exists(args.out):
        trainer = afterstate2048.Trainer.load(args.out, **functions)
    else:
        trainer = afterstate2048.Trainer(args.network, seed=args.seed, **functions)
    with trainer:
        for _ in range(10):
            m = trainer.step(max(1, args.games // 10))
            usual = "-" if m["mean_score"] is None else f"{m['mean_score']:.0f}"
            print(f"{m['games']} games: mean score {usual}, {m['games_per_s']:.0f} games/s")
            trainer.save(args.out)
        scores = measure(trainer.network.player(), args.test)
    error = 1.96 * scores.std(ddof=1) / len(scores) ** 0.5
    print(f"{len(scores)} games of seed 1: mean score {scores.mean():.0f} +- {error:.0f}")


if __name__ == "__main__":
    main()
