"""Lets Stable-Baselines3 learn 2048: PPO that draws legal moves only, from one-hot planes.

    pip install ./python stable-baselines3 sb3-contrib   # in the repository
    python examples/python/sb3.py                        # some minutes

PPO without a mask works too, with illegal="penalty" for the environment, and learns more slowly.
"""

import argparse

import afterstate2048
import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env


def make():
    return gymnasium.make("afterstate/Game2048-v0", observation="planes", reward="log2")


def play(games, choose):
    """Scores of games 0, 1, ... of seed 1, from which it does not learn, all at the same time; choose gets observations
    and masks."""
    envs = afterstate2048.Game2048Vector(games, observation="planes", reward="log2", autoreset_mode="SameStep")
    seen, info = envs.reset(seed=1)
    scores = np.full(games, -1)
    while (scores < 0).any():
        seen, _, over, _, info = envs.step(choose(seen, info["action_mask"].astype(bool)))
        first = over & (scores < 0)
        if first.any():
            scores[first] = info["final_info"]["score"][first]
    return scores


def main():
    parser = argparse.ArgumentParser(description="Learn 2048 with Stable-Baselines3.")
    parser.add_argument("--steps", type=int, default=1_000_000, help="steps to learn from")
    parser.add_argument("--envs", type=int, default=32)
    parser.add_argument("--games", type=int, default=200, help="games to play before and after")
    args = parser.parse_args()
    model = MaskablePPO(
        "MlpPolicy",
        make_vec_env(make, args.envs, seed=1000),
        n_steps=128,
        batch_size=1024,
        n_epochs=4,
        learning_rate=5e-4,
        gamma=0.997,
        policy_kwargs={"net_arch": [256, 256]},
        device="cpu",
        seed=1,
    )

    def choose(seen, masks):
        return model.predict(seen, action_masks=masks, deterministic=True)[0]

    def drawn(_, masks):
        return np.array([random.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])

    random = np.random.default_rng(1)
    for name, player in ("random moves", drawn), ("before learning", choose), (f"after {args.steps} steps", choose):
        if name.startswith("after"):
            model.learn(args.steps)
        scores = play(args.games, player)
        print(f"{name}: mean score {scores.mean():.0f} +- {1.96 * scores.std() / len(scores) ** 0.5:.0f} of {len(scores)} games")


if __name__ == "__main__":
    main()
