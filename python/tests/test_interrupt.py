"""Ctrl-C during a search. Each test is a program of its own, which sends itself the signal."""

import pytest
from conftest import run

LOAD = "load(); "  # so that the search itself is given up, not the loading of its network
ENDLESS = [
    "afterstate2048.best_move(BOARD, 'expectimax(plies=64,impl=generic)')",
    "afterstate2048.best_move(BOARD, 'expectimax(plies=30)')",
    "afterstate2048.best_move([[2, 0, 0], [0, 0, 0], [0, 0, 4]], 'expectimax(plies=64)')",
    "afterstate2048.best_move(BOARD, 'champion(nodes=1000000000000,min_prob=0,prune_margin=0)')",
    "afterstate2048.best_move(BOARD, 'expert(nodes=1000000000000,min_prob=0,prune_margin=0)', time_ms=3600000)",
    "afterstate2048.best_move(BOARD, 'minimax(depth=64)')",
    "afterstate2048.best_move(BOARD, 'deepening(time=1h)')",
    "afterstate2048.analyze(BOARD, 'alphabeta(depth=60)')",
    "afterstate2048.best_moves([BOARD] * 1000, 'snake(depth=20)')",
    "afterstate2048.analyze_many([BOARD] * 3, 'expectimax(plies=30)', threads=1)",
    "afterstate2048.best_moves([BOARD] * 100000, 'champion')",
    LOAD + "afterstate2048.best_move(BOARD, 'champion(nodes=1000000000000,min_prob=0,prune_margin=0)')",
    LOAD + "afterstate2048.best_moves([BOARD] * 100000, 'champion')",
]


@pytest.mark.parametrize("ask", ENDLESS)
def test_a_search_ends_at_once(ask):
    """The work is cancelled, and the interpreter continues."""
    load, ask = ask.startswith(LOAD), ask.removeprefix(LOAD)
    assert (
        run(
            f"""
            import os, signal, threading, afterstate2048
            from afterstate2048 import _library
            BOARD = [[2, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 4]]
            lib, waits, sent, third = _library.library(), 0, 0, threading.Event()
            wait = lib.call_wait
            def counted(*arguments):
                global waits
                waits += 1
                if waits == 3:
                    third.set()
                return wait(*arguments)
            def interrupt():
                global sent
                third.wait()
                sent = waits  # more than 3 on a busy machine, which may run this thread late
                os.kill(os.getpid(), signal.SIGINT)
            if {load}:
                afterstate2048.best_move(BOARD, "champion")
            lib.call_wait = counted
            threading.Thread(target=interrupt, daemon=True).start()
            try:
                {ask}
            except KeyboardInterrupt:
                lib.call_wait = wait
                print(waits - sent < 7, afterstate2048.best_move([[2, 2], [0, 4]], "greedy"), afterstate2048.best_move(BOARD, "snake(depth=0)") is not None)
            """
        )
        == "True right True\n"
    )


def test_what_was_given_up_is_not_in_the_way():
    """The next question to the same player is answered as if it were the first."""
    assert (
        run(
            """
            import afterstate2048, numpy
            from afterstate2048 import _library
            BOARD, SPEC = [[2, 4, 8, 16], [0, 2, 4, 8], [0, 0, 2, 4], [0, 0, 0, 2]], "expectimax(eval=gradient,plies=4,tt=2MB)"
            want = afterstate2048.analyze(BOARD, SPEC).values
            lib = _library.library()
            wait, asked = lib.call_wait, []
            def interrupted(*arguments):
                if len(asked) < 20:
                    asked.append(1)
                    raise KeyboardInterrupt
                return wait(*arguments)
            lib.call_wait = interrupted
            for _ in range(20):
                try:
                    afterstate2048.analyze(BOARD, SPEC)
                except KeyboardInterrupt:
                    pass
            print(numpy.array_equal(afterstate2048.analyze(BOARD, SPEC).values, want, equal_nan=True), len(asked))
            """
        )
        == "True 20\n"
    )
