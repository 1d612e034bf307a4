"""Boards as text and as pictures."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec

import gymnasium
import numpy as np
import pytest
from afterstate2048 import Game2048, Game2048Vector
from conftest import run

BOARD = [[0, 2, 4], [8, 131072, 0]]


def test_pictures():
    env = gymnasium.make("afterstate/Game2048-v0", size=(2, 3), render_mode="rgb_array", observation="planes")
    env.reset(seed=1, options={"board": [[0, 2, 4], [8, 64, 0]]})
    picture = env.render()
    assert picture.shape == (2 * 104 + 8, 3 * 104 + 8, 3) and picture.dtype == np.uint8
    cells = [picture[8 + 104 * r : 104 + 104 * r, 8 + 104 * c : 104 + 104 * c] for r in range(2) for c in range(3)]
    colours = [len(np.unique(cell.reshape(-1, 3), axis=0)) for cell in cells]
    assert colours == [1, 2, 2, 2, 2, 1]  # a tile's and its number's
    corners = [tuple(cell[0, 0]) for cell in cells]
    assert len(set(corners)) == 5 and corners[0] == corners[5] and tuple(picture[0, 0]) not in corners
    env.reset(seed=1, options={"board": [[0, 2, 4], [8, 64, 2]]})
    changed = (env.render() != picture).any(2)
    assert changed[112:208, 216:312].any() and changed.sum() == changed[112:208, 216:312].sum()


def test_every_tile_has_a_picture_of_its_own():
    from afterstate2048._draw import as_picture

    pictures = [as_picture(np.full((2, 2), e, np.uint8)) for e in range(49)]
    for i, a in enumerate(pictures):
        assert all((a != b).any() for b in pictures[:i])
        assert i == 0 or (a[8:104, 8:104] != a[8, 8]).any(2).sum() > 150  # the number is there


def test_text():
    env = Game2048((2, 2), render_mode="ansi")
    env.reset(seed=1, options={"board": "2,4/0,32", "score": 10})
    assert env.render() == "score 10\n     2      4\n     .     32\n"
    assert Game2048().render() is None


def test_vectors():
    single = Game2048((3, 2), render_mode="rgb_array")
    for mode in ("rgb_array", "ansi"):
        envs = gymnasium.make_vec("afterstate/Game2048-v0", num_envs=3, size=(3, 2), observation="planes", render_mode=mode)
        envs.reset(seed=5)
        frames = envs.render()
        assert len(frames) == 3 and type(frames[0]) is (str if mode == "ansi" else np.ndarray)
    envs = Game2048Vector(3, (3, 2), render_mode="rgb_array")
    envs.reset(seed=5)
    single.reset(seed=5, options={"game": 1})
    assert (envs.render()[1] == single.render()).all()
    assert Game2048Vector(2).render() is None


def test_gymnasium_records_frames():
    env = gymnasium.wrappers.RenderCollection(gymnasium.make("afterstate/Game2048-v0", render_mode="rgb_array"))
    env.reset(seed=1)
    for action in (0, 1, 2, 3):
        env.step(action)
    assert len(env.render()) == 5


def test_other_modes():
    with pytest.raises(ValueError, match="render_mode is 'human': must be None, 'ansi' or 'rgb_array'"):
        Game2048Vector(render_mode="human")
    for make in (Game2048, Game2048Vector):
        with pytest.raises(ValueError, match="render_mode"):
            make(render_mode=3)
    assert Game2048.metadata["render_modes"] == ["human", *Game2048Vector.metadata["render_modes"]]


WINDOW = """
import pickle, time, afterstate2048, gymnasium, numpy as np
from PIL import ImageGrab
want = gymnasium.make("afterstate/Game2048-v0", size="2x3", render_mode="rgb_array")
env = gymnasium.make("afterstate/Game2048-v0", size="2x3", render_mode="human").unwrapped
env.metadata = {**env.metadata, "render_fps": 1000}

def shown():  # the display may need a moment
    picture = want.render()
    height, width, _ = picture.shape
    until = time.monotonic() + 120
    while time.monotonic() < until:
        if (np.asarray(ImageGrab.grab(xdisplay=DISPLAY).convert("RGB"))[:height, :width] == picture).all():
            return True
        env._screen.window._root.update()
    return False

for act in (lambda e: e.reset(seed=1), *[lambda e, a=a: e.step(a) for a in (0, 3, 1)]):
    act(want), act(env)
    print(shown())
assert env.render() is None and env.metadata["render_fps"] == 1000
twin = pickle.loads(pickle.dumps(env))
env._screen.window._root.destroy()  # as a person closes it
print(env.step(0)[0].tolist() == twin.step(0)[0].tolist())
twin.close()
env.close(), env.close()
"""


@pytest.mark.skipif(not shutil.which("Xvfb") or not find_spec("tkinter"), reason="NOT RUN: it needs Xvfb and tkinter")
def test_a_window_shows_the_boards():
    read, write = os.pipe()
    words = ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten", "tcp"]
    with subprocess.Popen(words, pass_fds=[write], stderr=subprocess.DEVNULL) as server:
        os.close(write)
        try:
            with open(read) as said:
                display = ":" + said.readline().strip()
            env = {**os.environ, "DISPLAY": display}
            assert run(WINDOW.replace("DISPLAY", repr(display)), env=env) == "True\n" * 5
        finally:
            server.terminate()


@pytest.mark.skipif(sys.platform != "linux", reason="only here a display can be taken away")
def test_no_display_is_a_warning_of_one_line():
    said = run(
        """
        import gymnasium, sys, warnings, afterstate2048
        for _ in range(2):
            env = gymnasium.make("afterstate/Game2048-v0", render_mode="human")
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                env.reset(seed=1), env.step(0), env.render(), env.close()
            print(*(warning.message for warning in said))
            sys.modules["tkinter"] = None
        """,
        env={k: v for k, v in os.environ.items() if k != "DISPLAY"},
    ).splitlines()
    assert len(said) == 2 and "render_mode='human' shows nothing without tkinter" in said[1]
    assert "render_mode='human' shows nothing" in said[0]
