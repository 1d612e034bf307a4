"""How many steps a second the environment in JAX makes.

    pip install ./python 'jax[cpu]'         # in the repository
    python examples/python/speed_jax.py     # a minute

With jumanji installed beside it, its Game2048 is measured in turn with ours. Both play under
jit, vmap and scan and begin the next game after the last step. Moves are legal, by random
numbers that were drawn before; compiling does not count. Figures are medians of --rounds, by the
clock and by the processor's time, which other work on the machine bears on less.
"""

import argparse
import time
from importlib.util import find_spec
from statistics import median

import jax
import jax.numpy as jnp
from afterstate2048.jax_env import Game2048JAX


def ours(size):
    """The functions reset(keys), step(state, actions) and mask(state) of a batch, step with rewards and ends."""
    env = Game2048JAX(size, autoreset=True)
    batch = jax.vmap(env.step)

    def step(state, actions):
        state = batch(state, actions)
        return state, (state.reward, state.done)

    return jax.vmap(env.reset), step, lambda state: state.action_mask


def jumanji(size):
    """The same of Jumanji."""
    from jumanji.environments import Game2048
    from jumanji.wrappers import VmapAutoResetWrapper

    env = VmapAutoResetWrapper(Game2048(board_size=size))

    def step(state, actions):
        state, timestep = env.step(state, actions)
        return state, (timestep.reward, timestep.last())

    return lambda keys: env.reset(keys)[0], step, lambda state: state.action_mask


def scan(environment, n, steps):
    """A function that plays steps of n games, each time from where it was, and returns their number."""
    reset, step, mask = environment
    numbers = jax.random.uniform(jax.random.key(2), (steps, n, 4))

    def move(state, row):
        return step(state, jnp.where(mask(state), row, -1).argmax(1))

    play = jax.jit(lambda state, numbers: jax.lax.scan(move, state, numbers))
    state, _ = play(jax.jit(reset)(jax.random.split(jax.random.PRNGKey(1), n)), numbers)

    def run():
        nonlocal state
        state, _ = jax.block_until_ready(play(state, numbers))
        return n * steps

    return run


def main():
    parser = argparse.ArgumentParser(description="Measure the environment in JAX.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--batches", type=int, nargs="+", default=[1, 256, 4096], metavar="N")
    parser.add_argument("--seconds", type=float, default=1, help="roughly, a measurement")
    parser.add_argument("--size", type=int, default=4, help="rows and columns")
    args = parser.parse_args()
    environments = {"ours": ours(args.size)}
    if find_spec("jumanji"):
        environments["jumanji"] = jumanji(args.size)
    for n in args.batches:
        steps = max(1, int((100_000 if n == 1 else 1_000_000) * args.seconds / n))
        runs = {name: scan(environment, n, steps) for name, environment in environments.items()}
        rates = {name: [] for name in runs}
        for _ in range(args.rounds):
            for name, run in runs.items():
                wall, cpu = time.perf_counter(), time.process_time()
                made = run()
                rates[name].append((made / (time.perf_counter() - wall), made / (time.process_time() - cpu)))
        result = {name: tuple(map(median, zip(*found, strict=True))) for name, found in rates.items()}
        for name, (wall, cpu) in result.items():
            print(f"batch {n:<6} {name:8} {wall:12,.0f} steps/s   {cpu:12,.0f} steps/s of processor time", flush=True)
        if "jumanji" in result:
            clock, cpu = (a / b for a, b in zip(result["ours"], result["jumanji"], strict=True))
            print(f"batch {n:<6} ours to jumanji's: {clock:.1f} by the clock, {cpu:.1f} of processor time", flush=True)


if __name__ == "__main__":
    main()
