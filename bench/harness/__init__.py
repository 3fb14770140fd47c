"""What the suites of bench/run share: processes with budgets, builds, results that survive an interruption, statistics,
pages."""
