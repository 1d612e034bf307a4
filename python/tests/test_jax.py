"""The programs with JAX in docs/learners.md."""

import json
import re

import numpy as np
from afterstate2048 import Game2048Vector
from conftest import ROOT, run


def test_a_scan_plays_the_games_of_a_loop():
    """Each step of the scan is one of the vector, in order: the same actions in a plain loop give the same rewards and ends."""
    section = (ROOT / "docs/learners.md").read_text().split("\n## A vector under JAX\n")[1]
    program = re.search(r"(?ms)^```py\n(.*?)^```", section)[1]
    recording = program.replace("envs.step(np.asarray(actions))", "envs.step(kept.append(np.asarray(actions).tolist()) or kept[-1])")
    assert recording != program
    found = run("kept = []\n" + recording + "import json; print(json.dumps([kept, rewards.tolist(), over.tolist()]))")
    actions, rewards, over = (np.array(part) for part in json.loads(found.splitlines()[-1]))
    assert actions.shape == rewards.shape == over.shape == (128, 4096) and over.sum() > 2000
    envs = Game2048Vector(4096, autoreset_mode="SameStep")
    envs.reset(seed=1000)
    for chosen, reward, ends in zip(actions, rewards, over, strict=True):
        _, got, terminated, _, info = envs.step(chosen)
        assert (got == reward).all() and (terminated == ends).all() and not info["illegal"].any()


def test_the_game_in_jax():
    """Its policy, which counts merged tiles and empty cells, scores twice what random moves do (1,141)."""
    section = (ROOT / "docs/learners.md").read_text().split("\n## JAX\n")[1]
    program = re.search(r"(?ms)^```python\n(.*?)^```", section)[1]
    games, points = re.fullmatch(r"(\d+) games, ([\d.]+) points a game\n", run(program)).groups()
    assert int(games) > 500 and float(points) > 2300
