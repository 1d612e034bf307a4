"""Run the tests: python3 -m unittest"""

import json
import pathlib
import random
import subprocess
import sys
import unittest

from rules import legal_moves, slide


class Rules(unittest.TestCase):
    def test_slide(self):
        board = [[2, 2, 4, 8], [0, 2, 0, 2], [4, 4, 4, 4], [0, 0, 0, 2]]
        self.assertEqual(slide(board, "left"), ([[4, 4, 8, 0], [4, 0, 0, 0], [8, 8, 0, 0], [2, 0, 0, 0]], 24))
        self.assertEqual(slide(board, "right"), ([[0, 4, 4, 8], [0, 0, 0, 4], [0, 0, 8, 8], [0, 0, 0, 2]], 24))
        self.assertEqual(slide(board, "up"), ([[2, 4, 8, 8], [4, 4, 0, 2], [0, 0, 0, 4], [0, 0, 0, 2]], 12))
        self.assertEqual(slide(board, "down"), ([[0, 0, 0, 8], [0, 0, 0, 2], [2, 4, 0, 4], [4, 4, 8, 2]], 12))


class Bot(unittest.TestCase):
    """Plays a whole game as Afterstate does."""

    def setUp(self):
        self.process = subprocess.Popen(
            [sys.executable, "bot.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
            cwd=pathlib.Path(__file__).parent,
        )
        self.id = 0

    def tearDown(self):
        self.process.kill()
        self.process.communicate()

    def ask(self, method, **params):
        self.id += 1
        print(json.dumps({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}), file=self.process.stdin)
        answer = json.loads(self.process.stdout.readline())
        self.assertEqual(answer["id"], self.id)
        return answer["result"]

    def test_game(self):
        self.assertEqual(self.ask("hello", name="test", protocol=1, size="4x4")["protocol"], 1)
        draw = random.Random(1)
        board = [[0] * 4 for _ in range(4)]
        spawn(board, draw)
        spawn(board, draw)
        score, turn = 0, 0
        while legal := legal_moves(board):
            turn += 1
            move = self.ask("best_move", board=board, score=score, legal=legal, turn=turn)["move"]
            self.assertIn(move, legal)
            board, reward = slide(board, move)
            score += reward
            spawn(board, draw)
        self.assertGreater(score, 0)
        self.ask("bye")


def spawn(board, draw):
    """Puts a 2, or a 4 in one of ten cases, on an empty cell."""
    row, column = draw.choice([(r, c) for r in range(4) for c in range(4) if board[r][c] == 0])
    board[row][column] = 4 if draw.random() < 0.1 else 2


if __name__ == "__main__":
    unittest.main()
