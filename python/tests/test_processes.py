"""The library and other processes. Each test is a program of its own."""

import subprocess
import sys
import textwrap

import pytest


def run(program):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_library_is_loaded_when_needed():
    run(
        """
        import afterstate, gymnasium
        from afterstate import _library
        env = gymnasium.make("afterstate/Game2048-v0")
        envs = gymnasium.make_vec("afterstate/Game2048-v0", num_envs=3)
        afterstate.tiles([1, 2])
        assert _library._loaded is None
        env.reset(seed=1)
        assert _library._loaded is not None
        """
    )


needs_fork = pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="this system has no fork")


@needs_fork
def test_a_forked_child_is_told_to_spawn():
    run(
        """
        import os, sys, afterstate
        env, envs = afterstate.Game2048(), afterstate.Game2048Vector(2)
        env.reset(seed=1), envs.reset(seed=1)
        child = os.fork()
        if child == 0:
            tries = [lambda: env.step(0), lambda: env.reset(), lambda: envs.step([0, 0]), lambda: afterstate.best_move("2,2/0,4"),
                     lambda: afterstate.Game2048().reset(), lambda: afterstate.version()]
            for attempt in tries:
                try:
                    attempt()
                except afterstate.ForkError as error:
                    assert "spawn" in str(error)
                else:
                    os._exit(3)
            env.close()
            del envs  # cleans up without a word
            sys.exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        env.step(0)  # the parent goes on
        """
    )


@needs_fork
def test_a_child_forked_before_it_is_used_works():
    assert (
        run(
            """
            import multiprocessing, afterstate
            def work(seed):
                env = afterstate.Game2048()
                return env.reset(seed=seed)[0].tolist()
            if __name__ == "__main__":
                with multiprocessing.get_context("fork").Pool(2) as pool:
                    there = pool.map(work, range(4))
                print(there == [work(s) for s in range(4)])
            """
        )
        == "True\n"
    )


def test_two_threads_at_a_time():
    assert (
        run(
            """
            import threading, afterstate
            def work(i):
                envs = afterstate.Game2048Vector(500)
                envs.reset(seed=i)
                for _ in range(100):
                    envs.step(envs.sample_legal())
                results[i] = envs.snapshot().tobytes(), afterstate.best_moves(envs.look()[0][:20], "greedy").tolist()
            def all_threads():
                threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
                [t.start() for t in threads]
                [t.join() for t in threads]
            results = {}
            all_threads()
            first, results = dict(results), {}
            [work(i) for i in range(4)]
            print(first == results)
            """
        )
        == "True\n"
    )
