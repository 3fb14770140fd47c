"""The suites of bench/run: name to module. A module has TIME and REPEAT (defaults), METRICS (metric: is more better?),
and measurements(context), prepare(context, measurements), report(records, about)."""
SUITES = {"exe": "exe", "pending": "pending", "pending-faults": "faults", "otter-lines": "otter_lines", "otter-tools": "otter_tools", "search": "search", "coverage": "coverage", "bugs": "bugs",
          "peers": "peers", "exactness": "exactness", "slice": "slice", "slice-dfs": "slice_dfs", "self": "self_test"}
