"""Trains a network under several options and seeds, and writes what a paper has of that: a table and the curves.

    pip install ./python matplotlib      # in the repository
    python examples/python/sweep.py      # some minutes; after Ctrl-C it resumes

The runs are kept in the folder of the results. Each trains in a thread of its own.
"""

import argparse
from pathlib import Path

import afterstate2048
import matplotlib.pyplot as plt


def curves(found, path):
    """Draws the mean score of each configuration over the games, and the range of its seeds."""
    _, axes = plt.subplots(figsize=(5, 3), layout="constrained")
    for row in found.rows:
        label = f"λ = {row['lambda']}, rate {row['rate']}"
        (line,) = axes.plot(row["curve_games"], row["curves"].mean(0), label=label)
        axes.fill_between(row["curve_games"], row["curves"].min(0), row["curves"].max(0), color=line.get_color(), alpha=0.2)
    axes.set(xlabel="games of training", ylabel="mean score")
    axes.legend(frameon=False)
    plt.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--network", default="2x4", help="such as 4x6, which takes longer and plays better")
    parser.add_argument("--size", default="4x4")
    parser.add_argument("--games", type=int, default=10000, help="of training, of each run")
    parser.add_argument("--seeds", type=int, default=3, help="runs of each configuration")
    parser.add_argument("--play", type=int, default=500, help="games of each trained network")
    parser.add_argument("--out", type=Path, default=Path("sweep"), help="the folder of the results")
    a = parser.parse_args()

    a.out.mkdir(exist_ok=True)
    found = afterstate2048.sweep(
        "returns",
        {"lambda": [0, 0.5], "rate": [0.5, 1]},
        network=a.network,
        size=a.size,
        games=a.games,
        report_every=max(1, a.games // 20),
        seeds=a.seeds,
        play=a.play,
        folder=a.out / "runs",
    )
    print(found.text)
    (a.out / "table.tex").write_text(found.latex)
    curves(found, a.out / "curves.pdf")


if __name__ == "__main__":
    main()
