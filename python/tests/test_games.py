"""Games played by hand, their undo and their records."""

import copy
import json
import pickle
import subprocess

import afterstate2048
import numpy as np
import pytest
from afterstate2048 import Direction, Game, Game2048


def play(game, moves):
    for _ in range(moves):
        if game.over:
            break
        game.move(game.legal[-1])
    return game


def test_a_game_is_that_of_its_seed():
    game, env = Game(seed=4, game=2), Game2048()
    seen, _ = env.reset(seed=4, options={"game": 2})
    while not game.over:
        assert (game.board == seen).all() and game.size == (4, 4) and game.game == (4, 2)
        assert [d in game.legal for d in Direction] == env.action_masks().tolist()
        move = game.legal[0]
        reward = game.move(str(move) if game.moves % 2 else move)
        seen, want, over, _, info = env.step(move)
        assert (reward, game.over, game.score) == (want, over, info["score"])
    assert game.moves > 50 and game.legal == [] and not game.won


def test_undo_and_redo():
    game = Game((3, 3), seed=1)
    boards = [game.board]
    for _ in range(15):
        game.move(game.legal[0])
        boards.append(game.board)
    score = game.score
    assert game.undo() == 1 and (game.board == boards[14]).all()
    assert game.undo(4) == 4 and game.moves == 10 and (game.board == boards[10]).all()
    assert game.redo(100) == 5 and game.score == score and (game.board == boards[15]).all()
    assert game.undo(1000) == 15 and game.score == 0 and (game.board == boards[0]).all() and game.undo() == 0
    game.move(game.legal[0])
    assert (game.board == boards[1]).all() and game.redo() == 0
    mine = game.board
    mine[:] = 0
    assert game.board.any()


def test_boards_to_begin_from():
    game = Game(board="1024,1024,0,0/0,0,0,0/0,0,0,0/0,0,0,0", seed=3)
    assert game.score == 0 and not game.won
    assert game.move("left") == 2048 and game.won and game.move("right") == 0 and not game.over
    assert Game.from_record(game.record()).score == 2048
    boards, rewards, legal = Game(board=[[2, 2], [0, 4]]).afterstates()
    assert boards.shape == (4, 2, 2) and rewards.tolist() == [0, 4, 0, 4] and legal.tolist() == [False, True, True, True]
    assert Game(seed=1, p4=0).board.max() == 1 and Game().game[0] != Game().game[0]


def test_records(tmp_path):
    game = play(Game((4, 5), seed=7, game=1, p4=0.25), 80)
    game.undo(3)
    path = tmp_path / "game.jsonl"
    path.write_text("an earlier file")
    mode = path.stat().st_mode
    game.save(path, player="me")
    assert path.stat().st_mode == mode  # that of any new file
    fields = json.loads(path.read_text())
    assert (fields["player"], fields["seed"], fields["game"], fields["p4"], fields["size"]) == ("me", 7, 1, 0.25, "4x5")
    assert [p.name for p in tmp_path.iterdir()] == ["game.jsonl"]
    for again in (Game.load(path), Game.from_record(path.read_bytes()), pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert (again.board == game.board).all() and again.score == game.score and again.moves == game.moves
        assert again.size == (4, 5) and again.game == (7, 1)
        other = play(Game.from_record(game.record()), 20)
        assert (play(again, 20).board == other.board).all()  # the spawns continue
        assert again.undo(1000) > 80


def test_the_program_reads_a_record(tmp_path, afterstate_program):
    game = play(Game(seed=7), 1000)
    game.save(tmp_path / "game.jsonl")
    done = subprocess.run(
        [afterstate_program, "watch", "--replay", tmp_path / "game.jsonl"], capture_output=True, text=True, check=True
    )
    assert str(game.score) in done.stdout.replace(",", "")


def test_text():
    game = Game(board="2,0,0,4/0,0,8,0/0,0,0,0/2,0,0,2048")
    assert str(game).splitlines()[1].split() == ["2", ".", ".", "4"] and str(game).startswith("score 0\n")
    assert "2,0,0,4/0,0,8,0/0,0,0,0/2,0,0,2048, score 0" in repr(game)


def test_errors_say_what_is_accepted(tmp_path):
    game = play(Game(board="2,4/0,0", seed=1), 0)
    before = game.record()
    damaged = play(Game(seed=1), 30).record().replace('"score":', '"score":1')
    (tmp_path / "one.jsonl").write_text(before + "\n")
    for attempt, kind, message in (
        (lambda: game.move("up"), ValueError, "up moves no tile of 2,4/0,0"),
        (lambda: game.move(7), ValueError, "move 7: must be 0 up"),
        (lambda: game.move(None), TypeError, "move None"),
        (lambda: Game(board="2,4/4,2").move("up"), ValueError, "no move is legal on 2,4/4,2: the game is over"),
        (lambda: game.undo(-1), ValueError, "moves is -1"),
        (lambda: game.undo(1.0), TypeError, "moves is 1.0"),
        (lambda: Game((4, 7)), ValueError, "size"),
        (lambda: Game(seed=-1), ValueError, "seed -1"),
        (lambda: Game(p4=2), ValueError, "p4 is 2"),
        (lambda: Game.from_record("nothing"), ValueError, "record: "),
        (lambda: Game.from_record(damaged), ValueError, "record: "),
        (lambda: Game.load(tmp_path / "one.jsonl", 1), ValueError, "no record 1: it has 1"),
        (lambda: Game.load(tmp_path / "none"), FileNotFoundError, "none"),
        (lambda: game.record("a\0b"), ValueError, "player is"),
    ):
        with pytest.raises(kind, match=message):
            attempt()
    assert game.record() == before
    game.close()
    game.close()
    for attempt in (lambda: game.move("left"), game.undo, game.record, game.afterstates):
        with pytest.raises(ValueError, match="this game was closed"):
            attempt()
    assert game.score == 0 and np.array_equal(game.board, [[1, 2], [0, 0]])
