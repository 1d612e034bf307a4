"""Boards by render_mode: as text, as a picture, or in a window."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from gymnasium import logger
from numpy.typing import NDArray

from ._draw import as_picture, as_text


class Screen:
    """Renders the boards of an environment."""

    def __init__(self, mode: str | None) -> None:
        self.mode = mode
        self.window: Window | None = None

    def render(self, board: NDArray[np.uint8], score: int, per_second: float) -> str | NDArray[np.uint8] | None:
        """Returns a board as text or as a picture. With the mode "human" it shows the picture, and returns None."""
        if self.mode is None:
            return None
        if self.mode == "ansi":
            return as_text(board, score)
        picture = as_picture(board)
        if self.mode == "rgb_array":
            return picture
        self.window = self.window or Window()
        self.window.show(picture, f"2048: {score}", per_second)
        return None

    def close(self) -> None:
        """Closes the window."""
        if self.window is not None:
            self.window.close()
            self.window = None

    def __getstate__(self) -> dict[str, Any]:
        return {"mode": self.mode, "window": None}


class Window:
    """A window for pictures, uint8 (height, width, 3).

    Without tkinter or a display it warns, and shows nothing: check_env of Gymnasium tries all modes everywhere. When a
    person has closed it, it shows nothing more.
    """

    def __init__(self) -> None:
        self._root: Any = None
        try:
            import tkinter
        except ImportError:
            logger.warn(
                "render_mode='human' shows nothing without tkinter, a part of Python that some systems install apart "
                "(Debian: apt install python3-tk)"
            )
            return
        self._tkinter = tkinter
        try:
            self._root = tkinter.Tk(className="afterstate2048")
        except tkinter.TclError as error:
            logger.warn(f"render_mode='human' shows nothing: {error}")
            return
        self._root.resizable(False, False)
        self._label = tkinter.Label(self._root, borderwidth=0)
        self._label.pack()
        self._next = time.monotonic()

    def show(self, picture: NDArray[np.uint8], title: str, per_second: float) -> None:
        """Shows a picture, and waits if the last one came less than 1 / per_second seconds ago."""
        if self._root is None:
            return
        height, width, _ = picture.shape
        data = b"P6 %d %d 255 " % (width, height) + picture.tobytes()
        try:
            image = self._tkinter.PhotoImage(master=self._root, data=data, format="PPM")
            self._label.configure(image=image)
            self._image = image  # Tk shows it as long as Python has it
            self._root.title(title)
            self._root.update()
        except self._tkinter.TclError:  # a person has closed the window
            self._root = None
            return
        time.sleep(max(0.0, self._next - time.monotonic()))
        self._next = time.monotonic() + 1 / per_second

    def close(self) -> None:
        """Closes the window, unless a person has."""
        root, self._root = self._root, None
        if root is not None:
            try:
                root.destroy()
            except self._tkinter.TclError:
                pass
