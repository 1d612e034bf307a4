# A bot in Python: afterstate arena 'exec(cmd="python3 bot.py")' random
import json
import sys

for line in sys.stdin:
    request = json.loads(line)
    result = {}  # enough for bye
    if request["method"] == "hello":
        result = {"name": "corner bot", "protocol": 1}
    elif request["method"] == "best_move":
        legal = request["params"]["legal"]
        result = {"move": next(d for d in ("left", "down", "right", "up") if d in legal)}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
