"""The suites of bench/run: name to module. A module has TIME and REPEAT (defaults), METRICS (metric: is more better?),
and measurements(context), prepare(context, measurements), report(records, about)."""
SUITES = {"exe": "exe", "pending": "pending", "otter-lines": "otter_lines", "search": "search", "coverage": "coverage", "bugs": "bugs",
          "peers": "peers", "exactness": "exactness", "slice": "slice", "self": "self_test"}
