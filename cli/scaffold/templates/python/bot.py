"""BOTNAME, a bot for 2048. Afterstate starts it and exchanges lines of JSON with it."""

import json
import sys

from rules import slide

NAME = "BOTNAME"
VERSION = "1"  # change it with the bot: experiments show it beside the name


def choose(board, legal):
    """Returns one of the legal moves of a board, and the values of all, which Afterstate shows.

    A board has rows of tile values from the top, 0 for an empty cell. The moves are "up", "right",
    "down" and "left". This bot likes empty cells, and tiles that differ little from their neighbours.
    A bot that searches may also return its "depth", "nodes" and "tree".
    """

    def value(move):
        after, reward = slide(board, move)  # the reward is what greedy maximizes; this bot ignores it
        lines = [*after, *zip(*after)]
        differences = sum(abs(a - b) for line in lines for a, b in zip(line, line[1:]))
        return 50 * sum(row.count(0) for row in after) - differences

    values = {move: value(move) for move in legal}
    return {"move": max(values, key=values.get), "values": values}


def main():
    for line in sys.stdin:
        request = json.loads(line)
        result = {}  # enough for bye
        if request["method"] == "hello":
            result = {"name": NAME, "version": VERSION, "protocol": 1}
        elif request["method"] == "best_move":
            params = request["params"]
            result = choose(params["board"], params["legal"])
        # Print nothing else: for debug output, use stderr.
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)


if __name__ == "__main__":
    main()
