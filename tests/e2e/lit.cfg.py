# End-to-end tests: each file contains its commands (RUN) and the expected output (CHECK, for FileCheck).
#   %tamar  the binary under test (%binary: its path)      %s  the test file      %t  a path for temporary files
#   status N COMMAND...                succeeds when COMMAND ends with status N
# `REQUIRES: exec` keeps a test from running until `tamar help` lists that command.
import json
import os
import re
import subprocess

import lit.formats

tamar = lit_config.params["tamar"]
here = os.path.dirname(os.path.abspath(__file__))

config.name = "tamar"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".c", ".ll", ".sh", ".smt2", ".test"]
config.excludes = ["Inputs", "bin", "run"]
config.test_source_root = here
config.test_exec_root = lit_config.params["scratch"]

listed = subprocess.run([tamar, "help"], capture_output=True, text=True).stdout
for command in re.findall(r"^  tamar (\w+)", listed, re.M):
    config.available_features.add(command)

config.environment["PATH"] = os.pathsep.join([os.path.join(here, "bin"), "/usr/lib/llvm-19/bin", os.environ["PATH"]])
for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TAMAR_TEST_LIMIT", "TAMAR_MESSAGE_LOG"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
built = os.path.join(os.path.dirname(tamar), "..", "..", "meson-info", "intro-buildoptions.json")
for option in json.load(open(built)) if os.path.exists(built) else []:
    if option["name"] == "hostile" and option["value"]:
        config.available_features.add("hostile")
    if option["name"] == "b_sanitize" and option["value"] not in ("none", ""):
        config.available_features.add("sanitized")
config.environment["TAMAR_BINARY"] = tamar
config.environment["TAMAR_PROGRAM_CACHE"] = os.path.join(lit_config.params["scratch"], "programs")
config.substitutions.append(("%tamar", os.path.join(here, "bin", "limited-tamar")))
config.substitutions.append(("%binary", tamar))
config.substitutions.append(("%inputs", os.path.join(here, "Inputs")))
config.substitutions.append(("%clang", "clang-19"))
config.substitutions.append(("%filecheck", "FileCheck --match-full-lines --strict-whitespace"))
