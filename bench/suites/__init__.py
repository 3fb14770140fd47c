"""The suites of bench/run: name to module. A module has TIME and REPEAT (defaults), METRICS (metric: is more better?), and
measurements(context), prepare(context, measurements), report(records, about)."""
SUITES = {"coverage": "coverage", "bugs": "bugs", "self": "self_test"}
