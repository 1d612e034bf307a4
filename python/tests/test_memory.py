"""Requests for more memory than there is. Go would end the process, so each test is a
program of its own, with a limit of its own where the system has one."""

import sys

import pytest
from conftest import run

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much memory is available")

BEGIN = """
import resource, afterstate2048, gymnasium
BOARD = [[2, 4, 8, 16], [0, 2, 4, 8], [0, 0, 2, 4], [0, 0, 0, 2]]
def refused(attempt):
    try:
        attempt()
    except MemoryError as error:
        text = str(error)
        return " of memory is needed, " in text and " is free" in text and not text.startswith("memory")
def leave(bytes):  # address space beyond what is used
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + bytes, resource.getrlimit(resource.RLIMIT_AS)[1]))
"""


def program(text):
    return run(BEGIN + text)


@needs_linux
@pytest.mark.parametrize("limited", [False, True], ids=["of the machine", "of ulimit"])
def test_too_many_environments(limited):
    said = program(
        f"""
for n in (10**10, 10**12, 2**62, 10**30) + ((10**7, 10**8) if {limited} else ()):
    if {limited}:
        afterstate2048.training_options()
        leave(2 << 30)
    print(refused(lambda: afterstate2048.Game2048Vector(n)))
    print(refused(lambda: afterstate2048.Game2048Vector(n, (6, 6), observation="planes", copy=False, autoreset_mode="SameStep")))
    print(refused(lambda: gymnasium.make_vec("afterstate/Game2048-v0", num_envs=n)))
envs = afterstate2048.Game2048Vector(100_000)
envs.reset(seed=1)
print(envs.step(envs.sample_legal())[0].shape)
"""
    )
    assert said == "True\n" * (18 if limited else 12) + "(100000, 4, 4)\n"


@needs_linux
def test_tables_that_do_not_fit():
    said = program(
        """
afterstate2048.best_move(BOARD, "snake")
leave(2 << 30)
big = "expectimax(plies=1,tt=8GB)"
print(refused(lambda: afterstate2048.best_move(BOARD, big)))
print(refused(lambda: afterstate2048.best_move([[2, 0], [0, 2]], big)))
print(refused(lambda: afterstate2048.analyze(BOARD, "expert(tt=64GB)")))
print(refused(lambda: afterstate2048.analyze(BOARD, "champion(tt=8GB)")))
print(refused(lambda: afterstate2048.best_moves([BOARD], big)))
print(refused(lambda: afterstate2048.analyze_many([BOARD] * 100, "expectimax(plies=1,tt=512MB)", threads=64)))
for n in range(40):  # each of these fits, all of them do not
    afterstate2048.best_move(BOARD, f"expectimax(plies=1,tt=256MB,death_value=-{n})")
print(afterstate2048.best_moves([BOARD] * 9, "expectimax(plies=1,tt=16MB)", threads=3).tolist() == [afterstate2048.best_move(BOARD, "expectimax(plies=1)")] * 9)
"""
    )
    assert said == "True\n" * 7


@needs_linux
def test_networks_that_do_not_fit():
    """They are loaded when there is memory again."""
    said = program(
        """
afterstate2048.best_move([[2, 2], [0, 2]], "greedy")
leave(256 << 20)
print(refused(lambda: afterstate2048.best_move(BOARD)), refused(lambda: afterstate2048.best_moves([BOARD], "champion")))
leave(8 << 30)
print(afterstate2048.best_move(BOARD) is not None)
"""
    )
    assert said == "True True\nTrue\n"


@needs_linux
def test_a_huge_file_that_is_no_model(tmp_path):
    """Its header refuses it, before memory is taken; a sparse file takes no disk space."""
    model = tmp_path / "large.model"
    with model.open("wb") as file:
        file.write(b"AFTERNT1")
        file.truncate(1 << 42)
    said = program(
        f"""
afterstate2048.training_options()
leave(1 << 30)
try:
    afterstate2048.best_move(BOARD, 'ntuple(model="{model}")')
except RuntimeError as error:
    print("large.model: not a valid model file" in str(error))
"""
    )
    assert said == "True\n"


@needs_linux
def test_training_that_does_not_fit(tmp_path):
    """Before weights are allocated: those of networks, with the sums of training, and from a file."""
    said = program(
        f"""
small = afterstate2048.Trainer("2x4", seed=1)
small.step(5)
small.save("{tmp_path}/small")
leave(1 << 30)
print(refused(lambda: afterstate2048.Trainer("8x6")))
print(refused(lambda: afterstate2048.Network("4x6", stages="32/64/128/256")))
large = afterstate2048.Trainer("2x6", seed=1)
large.save("{tmp_path}/large")
leave(200 << 20)
print(refused(lambda: afterstate2048.Trainer.load("{tmp_path}/large")))
print(afterstate2048.Trainer.load("{tmp_path}/small").step(5)["games"], afterstate2048.Network("2x4").name)
"""
    )
    assert said == "True\nTrue\nTrue\n10 2x4\n"
