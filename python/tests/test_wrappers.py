"""Gymnasium's wrappers around the environments, with what each is expected to change."""

import afterstate2048  # noqa: F401 - it registers the environments
import gymnasium
import numpy as np
import pytest
from gymnasium import wrappers
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector

IDS = ["afterstate/Game2048-v0", "afterstate/Game2048Afterstates-v0"]
BOARDS = IDS[0]


def play(env, steps=300, seed=1):
    """Plays random legal actions, and yields what each step returns."""
    info = env.reset(seed=seed)[1]
    env.action_space.seed(seed)
    for _ in range(steps):
        *got, info = env.step(env.action_space.sample(info["action_mask"]))
        yield *got, info
        if got[2] or got[3]:
            info = env.reset()[1]


@pytest.mark.parametrize("name", IDS)
def test_time_limit_and_statistics(name):
    """As make applies the limit, and as the environment's own option."""
    ends = []
    for made in (gymnasium.make(name, max_episode_steps=40), wrappers.TimeLimit(gymnasium.make(name), 40)):
        env = wrappers.RecordEpisodeStatistics(made)
        seen = [(info["episode"]["l"], info["episode"]["r"], info["score"], over, cut) for *_, over, cut, info in play(env) if over or cut]
        assert all(r == score and cut and not over and n == 40 for n, r, score, over, cut in seen)
        ends.append(seen)
    assert ends[0] == ends[1] and len(ends[0]) == 300 // 40


def test_stacked_flat_and_scaled_observations():
    env = wrappers.FrameStackObservation(gymnasium.make(BOARDS, observation="planes"), 3)
    for (seen, *_), (plain, *_) in zip(play(env), play(gymnasium.make(BOARDS, observation="planes")), strict=True):
        assert seen.shape == (3, 18, 4, 4) and seen in env.observation_space and (seen[-1] == plain).all()
    env = wrappers.FlattenObservation(gymnasium.make(BOARDS))
    assert all(seen.shape == (16,) and seen in env.observation_space for seen, *_ in play(env))
    env = wrappers.RescaleObservation(wrappers.DtypeObservation(gymnasium.make(BOARDS), np.float32), np.float32(0), np.float32(1))
    assert all(seen.dtype == np.float32 and 0 <= seen.min() and seen.max() <= 1 for seen, *_ in play(env))
    env = wrappers.FlattenObservation(gymnasium.make(IDS[1]))
    assert all(seen.shape == (4 * 16 + 4,) for seen, *_ in play(env))
    env = wrappers.FilterObservation(gymnasium.make(IDS[1]), ["boards"])
    assert all(seen.keys() == {"boards"} and seen in env.observation_space for seen, *_ in play(env))


def test_normalized_observations_and_rewards():
    env = wrappers.NormalizeReward(wrappers.NormalizeObservation(gymnasium.make(BOARDS, reward="log2")))
    got = [(seen, reward) for seen, reward, *_ in play(env)]
    assert abs(np.mean([seen for seen, _ in got[-100:]])) < 1 and all(np.isfinite(reward) for _, reward in got)
    env = wrappers.TransformReward(wrappers.ClipReward(gymnasium.make(BOARDS), 0, 8), lambda reward: reward / 8)
    assert {reward for _, reward, *_ in play(env)} == {0.0, 0.5, 1.0}


def test_masks_through_wrappers():
    """How sb3-contrib and others find them."""
    env = wrappers.TimeLimit(wrappers.RecordEpisodeStatistics(gymnasium.make(BOARDS)), 50)
    for *_, over, cut, info in play(env):
        assert (env.get_wrapper_attr("action_masks")() == info["action_mask"]).all()
        assert info["action_mask"].any() or over


def test_pictures_as_a_film():
    frames = wrappers.RenderCollection(gymnasium.make(BOARDS, render_mode="rgb_array"))
    assert len(list(play(frames, 5))) == 5 and len(frames.render()) == 6


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_statistics_of_vectors(name, mode):
    """Returns are the scores of the games that ended, for every way to reset."""
    envs = vector.RecordEpisodeStatistics(gymnasium.make_vec(name, num_envs=8, size=(2, 2), autoreset_mode=mode))
    envs.reset(seed=1)
    returns, scores = [], []
    for _ in range(60):
        *_, terminated, _, info = envs.step(envs.unwrapped.sample_legal())
        if terminated.any():
            last = info["final_info"] if mode == AutoresetMode.SAME_STEP else info
            returns += info["episode"]["r"][terminated].tolist()
            scores += last["score"][terminated].tolist()
            if mode == AutoresetMode.DISABLED:
                envs.reset(options={"reset_mask": terminated})
    assert returns == scores and len(scores) > 8


def test_vectors_of_changed_rewards_and_types():
    made = gymnasium.make_vec(BOARDS, num_envs=5, observation="planes", reward="log2")
    envs = vector.NormalizeReward(vector.ClipReward(vector.DtypeObservation(made, np.float32), 0, 3))
    envs.reset(seed=1)
    for _ in range(50):
        seen, rewards, *_ = envs.step(envs.unwrapped.sample_legal())
        assert seen.dtype == np.float32 and seen in envs.observation_space and np.isfinite(rewards).all()
    envs = vector.NormalizeObservation(gymnasium.make_vec(BOARDS, num_envs=5))
    envs.reset(seed=1)
    for _ in range(50):
        seen = envs.step(envs.unwrapped.sample_legal())[0]
    assert abs(seen.mean()) < 1
    lists = vector.DictInfoToList(gymnasium.make_vec(BOARDS, num_envs=5))
    info = lists.reset(seed=1)[1]
    assert [sorted(one) for one in info] == [["action_mask", "illegal", "score"]] * 5
