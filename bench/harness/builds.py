"""Builds of the subjects: with `tamar cc`, natively with gcov, and with AFL++'s compiler; each once, into the cache."""
import pathlib
import subprocess

from .errors import UserError
from .suite import tell

BUILD = pathlib.Path(__file__).resolve().parent.parent / "subjects/build"


def ensure(context, package, *kinds):
    """Builds what is missing; the kind "" is `tamar cc`."""
    for kind in kinds:
        if (context.cache / (f"subjects-{kind}" if kind else "subjects") / package / "done").exists():
            continue
        tell(f"building {package}{f' for {kind}' if kind else ''}")
        command = [BUILD, "--tamar", context.tamar, *(["--as", kind] if kind else []), package]
        if subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode:
            raise UserError(f"{package} did not build{f' for {kind}' if kind else ''}", "Its messages stand above.")
