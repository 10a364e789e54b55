"""Run every benchmark (or those named) and print its table; with ``--save``, keep it for the book."""

import argparse
import importlib
import pkgutil

import benchmarks
from compendium.engine import save_measurements

KNOWN = [one.name.removeprefix("bench_") for one in pkgutil.iter_modules(benchmarks.__path__) if "bench_" in one.name]

parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
parser.add_argument("names", nargs="*", choices=[*KNOWN, []], help=f"of {', '.join(KNOWN)}; default: all")
parser.add_argument("--save", action="store_true", help="keep the tables in data/results/speed")
options = parser.parse_args()
for name in options.names or KNOWN:
    module = importlib.import_module(f"benchmarks.bench_{name}")
    try:
        table = module.run()
    except ModuleNotFoundError as error:
        if options.names:
            raise
        print(f"\n{name} is left out: {error}")
        continue
    print(f"\n{module.__doc__.strip()}\n\n{table.to_string(index=False, float_format='{:.3f}'.format)}")
    if options.save:
        save_measurements("speed", {name: table.round(4)}, {"benchmarks": KNOWN})
