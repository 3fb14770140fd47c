"""Shared by the suites of bench/run: processes with budgets, builds, results that survive an interruption, statistics,
pages."""
