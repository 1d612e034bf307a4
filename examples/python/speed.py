"""How many steps a second the environments make, on one core.

    pip install ./python                # in the repository
    python examples/python/speed.py     # half a minute

With gymnasium-2048 installed beside it, that is measured in turn with ours. Figures are medians
of --rounds, by the clock and by the processor's time, which other work on the machine bears on
less. All moves are random; in vectors they are legal, and choosing them counts.
"""

import argparse
import time
from importlib.util import find_spec
from statistics import median

import afterstate2048  # noqa: F401 - it registers the environment
import gymnasium
import numpy as np


def single(name, steps):
    """Steps of one environment, made as Gymnasium makes it, by random actions."""
    env = gymnasium.make(name)
    actions = np.random.default_rng(1).integers(0, 4, steps).tolist()
    env.reset(seed=1)

    def run():
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        return steps

    return run


def vector(envs, steps, **options):
    batch = gymnasium.make_vec("afterstate/Game2048-v0", num_envs=envs, **options)
    batch.reset(seed=1)

    def run():
        for _ in range(steps // envs):
            batch.step(batch.sample_legal())
        return steps // envs * envs

    return run


def main():
    parser = argparse.ArgumentParser(description="Measure the environments.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1, help="roughly, a measurement")
    args = parser.parse_args()
    k = args.seconds
    runs = {
        "one environment": single("afterstate/Game2048-v0", int(300_000 * k)),
        "vector of 4096": vector(4096, int(15e6 * k)),
        "vector of 4096, copy=False": vector(4096, int(15e6 * k), copy=False),
        "vector of 4096, planes": vector(4096, int(5e6 * k), observation="planes"),
        "vector of 64": vector(64, int(3e6 * k)),
    }
    peer = "gymnasium_2048/TwentyFortyEight-v0"
    if find_spec("gymnasium_2048"):
        import gymnasium_2048  # noqa: F401

        runs["gymnasium-2048"] = single(peer, int(8_000 * k))
    rates = {name: [] for name in runs}
    for _ in range(args.rounds):
        for name, run in runs.items():
            wall, cpu = time.perf_counter(), time.process_time()
            steps = run()
            rates[name].append((steps / (time.perf_counter() - wall), steps / (time.process_time() - cpu)))
    result = {name: tuple(map(median, zip(*found, strict=True))) for name, found in rates.items()}
    for name, (wall, cpu) in result.items():
        print(f"{name:28} {wall:14,.0f} steps/s   {cpu:14,.0f} steps/s of processor time")
    if "gymnasium-2048" in result:
        ours, theirs = result["one environment"], result["gymnasium-2048"]
        print(f"ours to gymnasium-2048's: {ours[0] / theirs[0]:.1f} by the clock, {ours[1] / theirs[1]:.1f} of processor time")


if __name__ == "__main__":
    main()
