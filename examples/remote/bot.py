# A bot behind HTTP, in Python without other packages. Start it: python3 bot.py 8080
# Then play with it, from any machine: afterstate arena 'remote(url="http://127.0.0.1:8080")' random
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def answer(request):
    if request["method"] == "hello":
        return {"name": "corner bot", "version": "http", "protocol": 1}
    if request["method"] == "best_move":
        legal = request["params"]["legal"]
        return {"move": next(d for d in ("left", "down", "right", "up") if d in legal)}
    return {}  # bye: other games may continue


class Bot(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keeps connections open, which is much faster
    disable_nagle_algorithm = True

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": answer(request)}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Bot)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
