"""Bots made by run_bot, played by the program."""

import json
import re
import subprocess
import sys

import afterstate2048
import pytest

GREEDY = """
import afterstate2048, numpy

def choose(board):
    boards, rewards, legal = afterstate2048.afterstates(board)
    return numpy.where(legal, rewards, -1).argmax()

afterstate2048.run_bot(choose)
"""


def bot_of(body, *options):
    """A bot's program: the body of choose(board, turn)."""
    arguments = ", ".join(["choose", "turns=True", *options])
    return (
        f"import os, sys\nimport afterstate2048, numpy as np\ndef choose(board, turn):\n    {body}\nafterstate2048.run_bot({arguments})\n"
    )


def talk(source, *messages):
    """Runs a bot's program on messages, and returns its answers and what it wrote to stderr."""
    lines = "".join(json.dumps({"jsonrpc": "2.0", **m}) + "\n" for m in messages)
    done = subprocess.run([sys.executable, "-c", source], input=lines, capture_output=True, text=True, timeout=900)
    return [json.loads(line) for line in done.stdout.splitlines()], done


HELLO = {"id": 1, "method": "hello", "params": {"name": "afterstate", "protocol": 1, "size": "3x2"}}
ASK = {
    "id": 2,
    "method": "best_move",
    "params": {
        "board": [[2, 0], [2, 0], [0, 0]],
        "score": 12,
        "legal": ["up", "right", "down"],
        "turn": 5,
        "time_ms": 50,
        "seed": 2**64 - 1,
        "game": 7,
        "later": "unknown params are ignored",
    },
}
BYE = {"id": "last", "method": "bye"}


def test_messages():
    body = "assert turn == afterstate2048.Turn(12, tuple(map(afterstate2048.Direction, (0, 1, 2))), 5, 50, 2**64 - 1, 7); return 'down'"
    source = bot_of(body, "name='corner'", "version='2'", "seeded=True", "sizes=['3x2', (4, 4)]")
    answers, done = talk(source, HELLO, ASK, {"method": "a notification has no answer"}, BYE)
    assert done.returncode == 0, done.stderr
    hello = {"name": "corner", "protocol": 1, "version": "2", "wants_seed": True, "sizes": ["3x2", "4x4"]}
    assert answers == [
        {"jsonrpc": "2.0", "id": 1, "result": hello},
        {"jsonrpc": "2.0", "id": 2, "result": {"move": "down"}},
        {"jsonrpc": "2.0", "id": "last", "result": {}},
    ]
    assert talk(bot_of("return 0"), HELLO)[0] == [{"jsonrpc": "2.0", "id": 1, "result": {"name": "-c", "protocol": 1}}]


@pytest.mark.parametrize("move", ["0", "'UP'", "np.uint8(0)", "np.array(0)", "afterstate2048.Direction.UP"])
def test_moves_that_a_bot_may_return(move):
    assert talk(bot_of(f"return {move}"), ASK)[0] == [{"jsonrpc": "2.0", "id": 2, "result": {"move": "up"}}]


SHOWN = """
def node(step, value, *children): return {**step, "value": value, "children": list(children)}
def choose(board):
    new = node({"spawn": {"row": np.int64(0), "col": 1, "tile": 2}, "probability": np.float32(0.25)}, -np.inf, {"move": 3})
    tree = node({}, None, node({"move": afterstate2048.Direction.DOWN}, np.float64(1.5), new), node({"move": 0}, np.nan))
    return afterstate2048.Choice(2, np.array([np.nan, -1, 1.5, 9]), "points", depth=2, nodes=np.int64(7), tree=tree)
"""


def test_what_a_bot_may_show():
    answers, done = talk(f"import afterstate2048, numpy as np{SHOWN}afterstate2048.run_bot(choose)", ASK)
    assert done.returncode == 0, done.stderr
    new = {"spawn": {"row": 0, "col": 1, "tile": 2}, "probability": 0.25, "value": None, "lost": True, "children": [{"move": "left"}]}
    down = {"move": "down", "value": 1.5, "children": [new]}
    up = {"move": "up", "value": None, "lost": False, "children": []}
    assert answers[0]["result"] == {
        "move": "down",
        "values": {"up": None, "right": -1.0, "down": 1.5},
        "unit": "points",
        "depth": 2,
        "nodes": 7,
        "tree": {"value": None, "children": [down, up]},
    }


@pytest.mark.parametrize(
    "more, error",
    [
        ("values=[1, 2, 3]", r"values have shape \(3,\): must be \(4,\)"),
        ("unit='tiles'", "unit is 'tiles': must be points or heuristic"),
        ("depth=1.5", "depth is 1.5: must be a whole number from 0 to 1000"),
        ("nodes=-1", "nodes is -1: must be a whole number from 0"),
        ("tree={'move': 'north'}", "move 'north': must be 0 up"),
    ],
)
def test_what_a_bot_may_not_show(more, error):
    answers, done = talk(bot_of(f"return afterstate2048.Choice(0, {more})"), ASK)
    assert answers == [] and re.search(error, done.stderr)


def test_best_and_tree_show_what_a_bot_answers(afterstate_program, tmp_path):
    (tmp_path / "bot.py").write_text(f"import afterstate2048, numpy as np{SHOWN}afterstate2048.run_bot(choose)")
    spec = f'exec(cmd="{sys.executable} {tmp_path}/bot.py")'

    def shown(command, *options):
        board = "2,2/2,0"
        done = subprocess.run([afterstate_program, command, "--player", spec, *options, board], capture_output=True, text=True)
        return json.loads(done.stdout)

    best, tree = shown("best", "--json"), shown("tree", "--format", "json")
    assert [best["moves"][m]["value"] for m in ("up", "right", "down", "left")] == [None, -1, 1.5, 9]
    assert (best["plies"], best["nodes"], tree["boards"], tree["tree"]["value"]) == (2, 7, 5, 1.5)


def test_what_a_bot_prints_is_no_answer():
    body = "print('thinking', board.dtype, board.tolist(), flush=True); os.system('echo a child'); board[:] = 0; return 0"
    answers, done = talk(bot_of(body), ASK, ASK, BYE)
    assert len(answers) == 3 and done.returncode == 0
    assert done.stderr.count("thinking uint8 [[1, 0], [1, 0], [0, 0]]\n") == 2 and done.stderr.count("a child\n") == 2


@pytest.mark.parametrize(
    "move, error",
    [("None", "TypeError: move None: must be 0 up"), ("'north'", "ValueError: move 'north'"), ("1 / 0", "ZeroDivisionError")],
)
def test_a_bot_that_fails_says_why(move, error):
    answers, done = talk(bot_of(f"return {move}"), HELLO, ASK, ASK)
    assert len(answers) == 1 and done.returncode == 1 and error in done.stderr


def test_what_is_no_bot():
    with pytest.raises(TypeError, match="choose is 3: must be a function of a board"):
        afterstate2048.run_bot(3)
    with pytest.raises(ValueError, match="size"):
        afterstate2048.run_bot(max, sizes=[(9, 9)])


def test_the_arena_plays_bots(afterstate_program, tmp_path):
    """Five lines play the games of the player greedy, move for move."""
    for name, source in (("greedy", GREEDY), ("broken", bot_of("return 1 / 0")), ("illegal", bot_of("return 3"))):
        (tmp_path / f"{name}.py").write_text(source)
    specs = [f'exec(cmd="{sys.executable} {name}.py")' for name in ("greedy", "broken", "illegal")]
    command = [afterstate_program, "arena", "greedy", *specs, "--games", "10", "--seed", "3", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    builtin, greedy, broken, illegal = json.loads(done.stdout)["players"]
    for key in ("mean_score", "best_score", "reached", "moves"):
        assert greedy[key] == builtin[key]
    assert "forfeits" not in greedy and builtin["moves"] > 1000
    assert "ZeroDivisionError" in str(broken["forfeits"]) and "illegal move" in str(illegal["forfeits"])
