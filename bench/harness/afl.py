"""afl-fuzz for a budget of processor seconds, from one seed."""
import os
import pathlib

from . import process
from .inputs import from_afl

HERE = pathlib.Path(__file__).resolve().parent
ENVIRONMENT = {"AFL_NO_UI": "1", "AFL_NO_AFFINITY": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",
               "AFL_SKIP_BIN_CHECK": "1", "AFL_BENCH_UNTIL_CRASH": "", "LC_ALL": "C", "PATH": "/usr/bin:/bin"}
ASAN = "abort_on_error=1:symbolize=0:detect_leaks=0:allocator_may_return_null=1:detect_odr_violation=0"


def fuzz(program, arguments, budget, folder, *, fixture, seed=b"\n", packed=True, random_seed=1, dictionary=None):
    """Runs afl-fuzz; `packed`: arguments are part of the input (input_main.c). Returns how it ended; results are in
    folder/out."""
    folder = pathlib.Path(folder)
    (folder / "in").mkdir(parents=True, exist_ok=True)
    (folder / "in" / "seed").write_bytes(seed)
    (folder / "work").mkdir(exist_ok=True)
    for name, content in fixture.items():
        (folder / "work" / name).write_bytes(content)
    environment = {**{key: value for key, value in ENVIRONMENT.items() if value}, "ASAN_OPTIONS": ASAN}
    if packed:
        environment["TAMAR_INPUT"] = "1"
    command = [HERE / "sandbox", folder, "sh", "-c", 'cd work && exec "$@"', "sh", "afl-fuzz", "-i", folder / "in", "-o", folder / "out",
               "-s", str(random_seed), "-m", "none", "-t", "1000+", *(["-x", dictionary] if dictionary else []), "--", program, *arguments]
    done = process.run(command, budget=budget, env=environment, folder=folder / "io")
    if not (folder / "out/default/fuzzer_stats").exists():
        raise RuntimeError(f"afl-fuzz did not start: {(done.errors + done.output.decode(errors='replace'))[-600:]}")
    return done


def executions(folder):
    for line in pathlib.Path(folder, "out/default/fuzzer_stats").read_text().splitlines():
        if line.startswith("execs_done"):
            return int(line.split(":")[1])
    return 0


def kept(folder, kind, fixed, packed=True):
    return from_afl(pathlib.Path(folder) / "out", kind, [os.fsencode(word) for word in fixed], packed)
