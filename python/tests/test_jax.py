"""The program with JAX in docs/learners.md."""

import json
import re
from importlib.util import find_spec

import numpy as np
import pytest
from afterstate2048 import Game2048Vector
from conftest import ROOT, run


@pytest.mark.skipif(find_spec("jax") is None, reason="NOT RUN: jax of python/tests/extras.txt is not installed")
def test_a_scan_plays_the_games_of_a_loop():
    """Each step of the scan is one of the vector, in order: the same actions in a plain loop give the same rewards and ends."""
    section = (ROOT / "docs/learners.md").read_text().split("\n## JAX\n")[1]
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
