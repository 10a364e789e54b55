"""Kernels that start at once: copies of one process that has loaded what every page loads.

A page needs seconds to import scikit-learn, pandas and seaborn before its first line. Here a process imports them once
and is forked for each kernel. A kernel has a process group and an environment of its own, as any other. Where processes
cannot be forked, kernels are started in the usual way.
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from cvstrat.errors import CvstratError

PRELOADED = ("ipykernel.kernelapp", "pandas", "scipy.stats", "sklearn.model_selection", "seaborn", "myst_nb", "pyarrow")
_LAUNCHER = "ipykernel_launcher"
_INLINE = "module://matplotlib_inline.backend_inline"
_servers: dict[int, _Server] = {}  # by process: one that was forked starts its own


class QuickKernelManager(AsyncKernelManager):
    """Starts kernels by forking."""

    async def _async_pre_start_kernel(self, **options: Any) -> Any:
        if hasattr(os, "fork") and self.provisioner is None:
            self.provisioner = _Provisioner(kernel_spec=self.kernel_spec, parent=self)
        return await super()._async_pre_start_kernel(**options)


class _Provisioner(LocalProvisioner):
    async def launch_kernel(self, cmd: list[str], **options: Any) -> Any:
        if _LAUNCHER not in cmd:
            return await super().launch_kernel(cmd, **options)
        server = _servers.get(os.getpid()) or _servers.setdefault(os.getpid(), _Server())
        self.cwd = options.get("cwd") or Path.cwd()
        kernel = server.start(cmd[cmd.index(_LAUNCHER) + 1 :], str(self.cwd), options["env"])
        self.process: Any = kernel
        self.pid = self.pgid = kernel.pid
        return self.connection_info


class _Server:
    """The process that has loaded all; it ends with the program that started it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # an interrupt is for the program, which ends its kernels itself
            env={**os.environ, "MPLBACKEND": _INLINE},
        )
        atexit.register(self._process.communicate)  # closes its input, which ends it

    def start(self, arguments: list[str], cwd: str, env: dict[str, str]) -> _Kernel:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"arguments": arguments, "cwd": cwd, "env": env}) + "\n")
        self._process.stdin.flush()
        said = self._process.stdout.readline()
        if not said:
            raise CvstratError("the process that starts kernels has ended; what it said is above")
        return _Kernel(int(said))


class _Kernel:
    """A running kernel as ``subprocess.Popen`` has it; whose child it is, is not asked."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def wait(self) -> int:
        while self.poll() is None:
            time.sleep(0.01)
        return 0

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


def _serve() -> None:
    """Fork a kernel for each line of the standard input, and say its number."""
    for name in PRELOADED:
        importlib.import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # kernels that have ended leave nothing behind
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            _become_kernel(**json.loads(line))
        print(pid, flush=True)


def _become_kernel(arguments: list[str], cwd: str, env: dict[str, str]) -> NoReturn:
    status = 1
    try:
        server = os.getppid()
        os.setsid()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)  # the server's own output is not for kernels
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(env)
        from ipykernel.kernelapp import launch_new_instance

        random.seed()  # as in a process of its own; no page uses NumPy's global generator
        sys.argv = [_LAUNCHER, *arguments, f"--IPKernelApp.parent_handle={server}"]  # with which it ends
        launch_new_instance()
        status = 0
    finally:
        os._exit(status)


if __name__ == "__main__":
    _serve()
