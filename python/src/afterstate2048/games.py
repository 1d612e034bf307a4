"""A game to play move by move, with undo and records."""

from __future__ import annotations

import ctypes
import json
import os
import secrets
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._batch import address
from ._checks import check_p4, check_seed, whole
from ._draw import as_text
from ._library import GameState, c_int32, c_int64, handle_t, library, text_p
from .boards import Board, Direction, Move, Size, check_size, tiles, to_direction, to_exponents
from .rules import afterstates

_MOST = 2**62


class Game:
    """A game that a program plays by hand::

        game = afterstate2048.Game(seed=1)
        while not game.over:
            game.move(game.legal[0])
        print(game, game.score)
        game.save("game.jsonl")  # afterstate watch --replay game.jsonl

    It does not stop at 2048. Every move can be undone.

    Args:
        size: rows and columns, each from 2 to 6: (3, 4) or "3x4".
        seed: the seed of the spawns; None: a random one. The same seed and game number have the same
            spawns everywhere in Afterstate.
        game: the number of the game within the seed.
        p4: the probability that a new tile is a 4.
        board: the board to begin from, with a score of 0, in any notation (see the package);
            None: two new tiles. Its size replaces ``size``.
    """

    def __init__(
        self,
        size: Size = (4, 4),
        *,
        seed: int | None = None,
        game: int = 0,
        p4: float = 0.1,
        board: Board | None = None,
    ) -> None:
        self._handle: Any = None
        options: dict[str, Any] = {
            "p4": check_p4(p4),
            "seed": secrets.randbits(63) if seed is None else check_seed(seed),
            "game": check_seed(game),
        }
        if board is None:
            rows, columns = check_size(size)
        else:
            start = to_exponents(board, many=False)
            (rows, columns), options["board"] = start.shape, tiles(start).tolist()
        options["size"] = f"{rows}x{columns}"
        self._seed, self._game = options["seed"], options["game"]
        handle = handle_t()
        lib = library()
        lib.check(lib.game_new(json.dumps(options).encode(), ctypes.byref(handle)))
        self._begin(handle, (rows, columns))

    def _begin(self, handle: Any, size: tuple[int, int]) -> None:
        self._library, self._handle, self._size = library(), handle, size
        self._cells, self._state = np.zeros(size, np.uint8), GameState()
        self._read()

    def _read(self) -> None:
        self._library.check(self._library.game_state(self._open(), address(self._cells), ctypes.byref(self._state)))

    def _open(self) -> Any:
        if self._handle is None:
            raise ValueError("this game was closed")
        return self._handle

    @classmethod
    def from_record(cls, record: str | bytes) -> Game:
        """Replays a record, one line of JSON as ``record`` returns it, and continues its game.

        Raises ValueError for a record that is damaged, whose moves break the rules, or whose
        spawns are not random.
        """
        line = record.encode() if isinstance(record, str) else bytes(record)
        line = line.strip()
        if b"\0" in line:
            raise ValueError("record: must be JSON, without the character 0")
        handle, size = handle_t(), (c_int32 * 2)()
        lib = library()
        lib.check(lib.game_open(line, ctypes.byref(handle), size))
        fields = json.loads(line)
        game = cls.__new__(cls)
        game._seed, game._game = fields["seed"], fields["game"]
        game._begin(handle, (size[0], size[1]))
        return game

    @classmethod
    def load(cls, path: str | os.PathLike[str], index: int = 0) -> Game:
        """Replays record number ``index`` of a file, counted from 0, as ``from_record`` does."""
        index = whole("index", index, 0, None)
        count = 0
        with Path(path).open("rb") as lines:
            for line in lines:
                if count == index:
                    return cls.from_record(line)
                count += 1
        raise ValueError(f"{path} has no record {index}: it has {count}, counted from 0")

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._size

    @property
    def board(self) -> NDArray[np.uint8]:
        """The board, exponents (rows, columns); ``afterstate2048.tiles`` converts them to tile values."""
        return self._cells.copy()

    @property
    def score(self) -> int:
        """The sum of all rewards."""
        return int(self._state.score)

    @property
    def moves(self) -> int:
        """The number of moves made and not undone."""
        return int(self._state.moves)

    @property
    def legal(self) -> list[Direction]:
        """The moves that change the board; empty when the game is over."""
        return [d for d in Direction if self._state.legal[d]]

    @property
    def over(self) -> bool:
        """Whether no move is legal."""
        return not any(self._state.legal)

    @property
    def won(self) -> bool:
        """Whether a 2048 was made."""
        return bool(self._state.won)

    @property
    def game(self) -> tuple[int, int]:
        """The seed and the number of the game."""
        return self._seed, self._game

    def move(self, move: Move) -> int:
        """Makes a move, after which a tile spawns, and returns the reward.

        ``move`` is a Direction, its number, or its name such as "left". An illegal move is a
        ValueError and changes nothing.
        """
        before = self.score
        self._library.check(self._library.game_move(self._open(), int(to_direction(move))))
        self._read()
        return self.score - before

    def undo(self, moves: int = 1) -> int:
        """Undoes moves and returns how many: fewer than asked for if the game had fewer. The same
        move made again brings the same tile."""
        return self._back(whole("moves", moves, 0, _MOST))

    def redo(self, moves: int = 1) -> int:
        """Repeats undone moves and returns how many. A new move discards the undone ones."""
        return self._back(-whole("moves", moves, 0, _MOST))

    def _back(self, moves: int) -> int:
        count = c_int64(moves)
        self._library.check(self._library.game_back(self._open(), ctypes.byref(count)))
        self._read()
        return int(count.value)

    def afterstates(self) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.bool_]]:
        """Returns the boards after each slide, the rewards and what is legal, as ``afterstate2048.afterstates`` does."""
        self._open()
        return afterstates(self._cells)

    def record(self, player: str = "human") -> str:
        """Returns the game as a record: a line of JSON, without a newline and without undone moves.

        Commands such as ``afterstate watch --replay`` and the page's Games read it. ``player`` names who
        played.
        """
        if not isinstance(player, str) or "\0" in player:
            raise ValueError(f"player is {player!r}: must be text without the character 0")
        line = text_p()
        self._library.check(self._library.game_record(self._open(), player.encode(), ctypes.byref(line)))
        assert line.value is not None
        return self._library.take(line.value)

    def save(self, path: str | os.PathLike[str], player: str = "human") -> None:
        """Writes the record to a file. An existing file is replaced as a whole."""
        path, record = Path(path), self.record(player)
        new = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        with new.open("x", encoding="utf-8") as file:  # with the mode of any new file
            try:
                file.write(record + "\n")
                file.flush()
                os.fsync(file.fileno())
                file.close()
                new.replace(path)
            except BaseException:
                new.unlink(missing_ok=True)
                raise

    def close(self) -> None:
        """Frees the game. It cannot be used afterwards."""
        if self._handle is not None:
            self._library.game_free(self._handle)
            self._handle = None

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.close()

    def __str__(self) -> str:
        return as_text(self._cells, self.score)

    def __repr__(self) -> str:
        rows = "/".join(",".join(map(str, row)) for row in tiles(self._cells).tolist())
        return f"<Game {self.game[1]} of seed {self.game[0]}: {rows}, score {self.score}>"

    def __reduce__(self) -> Any:
        return Game.from_record, (self.record(),)
