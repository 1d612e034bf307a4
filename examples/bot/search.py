"""A bot that looks two moves ahead, and shows the value of each move and its search tree. To draw the tree:
afterstate tree --player 'exec(cmd="python3 examples/bot/search.py")' 2,4,8/0,2,4/0,0,2 -o tree.svg"""

import json
import sys


def slide(board, move):
    """Returns the board after a move, and the reward."""
    lines, reward = list(zip(*board)) if move in ("up", "down") else board, 0
    back = -1 if move in ("right", "down") else 1
    after = []
    for line in lines:
        tiles, out = [tile for tile in line[::back] if tile], []
        while tiles:
            tile = tiles.pop(0)
            if tiles and tiles[0] == tile:
                tile += tiles.pop(0)
                reward += tile
            out.append(tile)
        after.append((out + [0] * (len(line) - len(out)))[::back])
    return [list(line) for line in (zip(*after) if move in ("up", "down") else after)], reward


def moves(board, depth):
    """Returns a node for each legal move, worth the points of depth moves, and then 10 for each empty cell."""
    nodes = []
    for move in ("up", "right", "down", "left"):
        after, reward = slide(board, move)
        if after != board:
            children = spawns(after, depth - 1) if depth > 1 else []
            later = sum(c["probability"] * c["value"] for c in children)
            if depth == 1:
                later = 10 * sum(row.count(0) for row in after)
            nodes.append({"move": move, "value": reward + later, "children": children})
    return nodes


def spawns(board, depth):
    """Returns a node of the tree for each new tile. A board without a move is worth 0."""
    empty = [(row, col) for row, tiles in enumerate(board) for col, tile in enumerate(tiles) if tile == 0]
    nodes = []
    for row, col in empty:
        for tile, share in ((2, 0.9), (4, 0.1)):
            board[row][col] = tile
            children = moves(board, depth)
            value = max((c["value"] for c in children), default=0)
            spawn = {"row": row, "col": col, "tile": tile}
            nodes.append({"spawn": spawn, "probability": share / len(empty), "value": value, "children": children})
            board[row][col] = 0
    return nodes


def count(nodes):
    return sum(1 + count(n["children"]) for n in nodes)


for line in sys.stdin:
    request = json.loads(line)
    result = {}
    if request["method"] == "hello":
        result = {"name": "search bot", "protocol": 1}
    elif request["method"] == "best_move":
        tree = moves(request["params"]["board"], 2)
        result = {
            "move": max(tree, key=lambda n: n["value"])["move"],
            "values": {n["move"]: n["value"] for n in tree},
            "depth": 2,
            "nodes": count(tree),
            "tree": {"children": tree},
        }
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
