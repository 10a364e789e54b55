"""How long a process lives. Nothing is imported that takes time, so that a new process knows its end at once."""

from __future__ import annotations

import os
import threading
import time


def end_with(parent: int) -> None:
    """Let this process end within seconds of the one that started it, also if that was killed and could not say so."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
