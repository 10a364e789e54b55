"""Run every benchmark (or those named) and print its table."""

import importlib
import pkgutil
import sys

import benchmarks

names = sys.argv[1:] or [one.name for one in pkgutil.iter_modules(benchmarks.__path__) if one.name.startswith("bench_")]
for name in names:
    module = importlib.import_module(f"benchmarks.{name}")
    print(f"\n{module.__doc__.strip()}\n")
    print(module.run().to_string(index=False, float_format="{:.2f}".format))
