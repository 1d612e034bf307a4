"""How long Ctrl-C takes to end a search from Python: 20 signals for each player.

Run it with the Python that has the package: python scripts/interrupt.py
"""

import os
import signal
import threading
import time

import afterstate2048
import numpy as np

BOARD = np.array([[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]], np.uint8)
MANY = np.repeat(BOARD[None], 100_000, 0)
SEARCHES = {
    "expectimax, 30 plies": lambda: afterstate2048.best_move(BOARD, "expectimax(plies=30)"),
    "expectimax, 64 plies, 3x3": lambda: afterstate2048.best_move(BOARD[1:, 1:], "expectimax(plies=64)"),
    "minimax, 64 layers": lambda: afterstate2048.analyze(BOARD, "minimax(depth=64)"),
    "champion, 10^12 nodes": lambda: afterstate2048.best_move(BOARD, "champion(nodes=1000000000000,min_prob=0,prune_margin=0)"),
    "100,000 boards, snake(depth=20)": lambda: afterstate2048.best_moves(MANY, "snake(depth=20)"),
    "100,000 boards, champion": lambda: afterstate2048.analyze_many(MANY, "champion"),
}


def interrupt(sent: list[float]) -> None:
    sent.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)


afterstate2048.best_move(BOARD, "champion")  # loads its network
for name, search in SEARCHES.items():
    took = []
    for i in range(20):
        sent: list[float] = []
        threading.Timer(0.1 + 0.003 * i, interrupt, [sent]).start()
        try:
            search()
        except KeyboardInterrupt:
            took.append(1000 * (time.perf_counter() - sent[0]))
    print(f"{name:38} {len(took)} of 20 ended, median {np.median(took):.0f} ms, worst {max(took):.0f} ms")
