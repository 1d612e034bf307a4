"""The library and other processes. Each test is a program of its own."""

import pickle

import afterstate2048
import pytest
from conftest import run


def test_the_library_is_loaded_when_needed():
    run(
        """
        import afterstate2048, gymnasium
        from afterstate2048 import _library
        env = gymnasium.make("afterstate/Game2048-v0")
        envs = gymnasium.make_vec("afterstate/Game2048-v0", num_envs=3)
        afterstate2048.tiles([1, 2])
        assert afterstate2048.__version__ and _library._loaded is None
        env.reset(seed=1)
        assert _library._loaded is not None
        """
    )


needs_fork = pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="this system has no fork")


@needs_fork
def test_a_forked_child_is_told_to_spawn():
    run(
        """
        import os, sys, afterstate2048
        env, envs = afterstate2048.Game2048(), afterstate2048.Game2048Vector(2)
        env.reset(seed=1), envs.reset(seed=1)
        child = os.fork()
        if child == 0:
            tries = [lambda: env.step(0), lambda: env.reset(), lambda: envs.step([0, 0]), lambda: afterstate2048.best_move("2,2/0,4"),
                     lambda: afterstate2048.Game2048().reset(), lambda: afterstate2048.players()]
            for attempt in tries:
                try:
                    attempt()
                except afterstate2048.ForkError as error:
                    assert "spawn" in str(error)
                else:
                    os._exit(3)
            env.close()
            del envs  # cleans up without a word
            sys.exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        env.step(0)  # the parent continues
        """
    )


@needs_fork
def test_a_child_forked_while_another_thread_steps_does_not_wait_for_it():
    run(
        """
        import os, signal, sys, threading, warnings, afterstate2048, numpy as np
        warnings.simplefilter("ignore")  # newer versions of Python warn of the fork
        envs, actions, begun, done = afterstate2048.Game2048Vector(100_000), np.zeros(100_000, np.int64), threading.Event(), threading.Event()
        envs.reset(seed=1)

        def work():
            while not done.is_set():
                begun.set()
                envs.step(actions)

        thread = threading.Thread(target=work)
        thread.start()
        begun.wait()
        try:
            for _ in range(5):
                child = os.fork()
                if child == 0:
                    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # for a hang
                    signal.alarm(60)
                    try:
                        envs.step(actions)
                    except afterstate2048.ForkError:
                        envs.close_extras()
                        os._exit(0)
                    os._exit(3)
                assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        finally:
            done.set()
        thread.join()
        """
    )


def test_a_fork_error_can_be_pickled():
    """Or else a pool never hears of it, and waits forever."""
    error = afterstate2048.ForkError()
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is afterstate2048.ForkError and str(again) == str(error) and "spawn" in str(error)


@needs_fork
@pytest.mark.parametrize(
    "attempt",
    [
        "with fork.Pool(2) as pool: pool.map(work, range(4))",
        "with concurrent.futures.ProcessPoolExecutor(2, fork) as pool: list(pool.map(work, range(4)))",
        "with contextlib.closing(AsyncVectorEnv([afterstate2048.Game2048] * 2, context='fork')) as envs: envs.reset(seed=1)",
    ],
    ids=["Pool", "ProcessPoolExecutor", "AsyncVectorEnv"],
)
def test_pools_of_forked_children_hear_of_it(attempt):
    said = run(
        f"""
        import concurrent.futures, contextlib, multiprocessing, warnings
        import afterstate2048
        from gymnasium.vector import AsyncVectorEnv
        warnings.simplefilter("ignore")
        fork = multiprocessing.get_context("fork")
        def work(seed):
            return afterstate2048.Game2048().reset(seed=seed)[0].tolist()
        work(0)
        try:
            {attempt}
        except afterstate2048.ForkError as error:
            print(error)
        """
    )
    assert 'start processes with "spawn"' in said


@needs_fork
@pytest.mark.parametrize("name", ["Game2048", "Game2048Afterstates"])
def test_an_asynchronous_vector_works_or_is_refused_in_one_line(name):
    """It is refused before a process is forked, and nothing else is printed."""
    said = run(
        f"""
        import multiprocessing, os, sys, afterstate2048, gymnasium
        os.dup2(1, 2)
        multiprocessing.set_start_method("fork")
        def make(**options):
            return gymnasium.make_vec("afterstate/{name}-v0", num_envs=2, vectorization_mode="async", **options)
        def play(envs):
            envs.reset(seed=1)
            print(len(envs.step([0, 1])[4]["score"]))
            envs.close()
        class Again(gymnasium.Wrapper):
            def reset(self, **options):  # a worker makes environments when it has used the library
                self.env.reset(seed=9)
                self.env = afterstate2048.Game2048()
                return self.env.reset(**options)
        play(make())
        play(gymnasium.vector.AsyncVectorEnv([lambda: Again(afterstate2048.Game2048())] * 2))
        afterstate2048.slide("2,2/0,4", 0)
        for options in ({{}}, {{"vector_kwargs": {{"context": "fork"}}}}):
            try:
                make(**options)
            except afterstate2048.ForkError as error:
                print(type(error).__name__, multiprocessing.active_children())
        """
    )
    assert said == "2\n2\nForkError []\nForkError []\n"


@needs_fork
def test_a_child_forked_before_it_is_used_works():
    assert (
        run(
            """
            import multiprocessing, afterstate2048
            def work(seed):
                env = afterstate2048.Game2048()
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
            import threading, afterstate2048
            def work(i):
                envs = afterstate2048.Game2048Vector(500)
                envs.reset(seed=i)
                for _ in range(100):
                    envs.step(envs.sample_legal())
                results[i] = envs.snapshot().tobytes(), afterstate2048.best_moves(envs.observe()[0][:20], "greedy").tolist()
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


@needs_fork
def test_training_in_a_forked_child():
    """It is refused, cleans up without a word, and leaves the parent's as it is."""
    run(
        """
        import gc, os, afterstate2048
        trainer = afterstate2048.Trainer("2x4", seed=1)
        net = trainer.network
        trainer.step(5)
        child = os.fork()
        if child == 0:
            for attempt in (lambda: trainer.step(1), lambda: trainer.games, lambda: trainer.network, lambda: net.value("2,2/0,4"),
                            lambda: net.save("x"), lambda: afterstate2048.Network("2x4"), lambda: afterstate2048.Trainer("2x4")):
                try:
                    attempt()
                except afterstate2048.ForkError:
                    pass
                else:
                    os._exit(3)
            del trainer, net
            gc.collect()
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert trainer.step(5)["games"] == 10 and net.weights[0][0].any()
        """
    )
