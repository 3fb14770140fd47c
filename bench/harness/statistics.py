"""Medians with spread, and the two tests of bench/compare: rank tests, since times are not normally distributed."""
import itertools
import math
import statistics


def summary(values):
    """Median, quartiles and count of some numbers."""
    values = sorted(values)
    if not values:
        return None
    low, high = (values[0], values[-1]) if len(values) < 4 else _quartiles(values)
    return {"median": statistics.median(values), "low": low, "high": high, "count": len(values)}


def _quartiles(values):
    cuts = statistics.quantiles(values, n=4, method="inclusive")
    return cuts[0], cuts[2]


def shown(values, digits=1):
    """`median [low .. high]`; the spread is that of the quartiles, of all for fewer than four."""
    found = summary(values)
    if found is None:
        return "-"
    text = f"{found['median']:.{digits}f}"
    return text if found["low"] == found["high"] else f"{text} [{found['low']:.{digits}f} .. {found['high']:.{digits}f}]"


def ranks(values):
    """Ranks from 1; equal values share the mean of theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result, at = [0.0] * len(values), 0
    while at < len(order):
        end = at
        while end < len(order) and values[order[end]] == values[order[at]]:
            end += 1
        for place in order[at:end]:
            result[place] = (at + 1 + end) / 2
        at = end
    return result


EXACT = 200_000 # up to this many permutations are enumerated; beyond, the normal approximation is used


def rank_sum(first, second):
    """Two-sided p of the Mann-Whitney test: could both samples come from the same distribution?"""
    both = ranks([*first, *second])
    size, count = len(first), len(both)
    expected = size * (count + 1) / 2
    seen = abs(sum(both[:size]) - expected)
    if math.comb(count, size) <= EXACT:
        sums = [abs(sum(chosen) - expected) for chosen in itertools.combinations(both, size)]
        return sum(value >= seen - 1e-9 for value in sums) / len(sums)
    mean = sum(both) / count
    deviation = math.sqrt(size * (count - size) / (count * (count - 1)) * sum((rank - mean) ** 2 for rank in both))
    return math.erfc(max(seen - 0.5, 0) / deviation / math.sqrt(2)) if deviation else 1.0


def signed_rank(differences):
    """Two-sided p of Wilcoxon's test: are the differences of pairs symmetric around zero?"""
    differences = [value for value in differences if value]
    if not differences:
        return 1.0
    places = ranks([abs(value) for value in differences])
    total = sum(places)
    seen = abs(sum(rank for rank, value in zip(places, differences) if value > 0) - total / 2)
    if len(places) <= 16:
        reach = [0.0]
        for rank in places:
            reach = [value + step for value in reach for step in (0, rank)]
        return sum(abs(value - total / 2) >= seen - 1e-9 for value in reach) / len(reach)
    deviation = math.sqrt(sum(rank * rank for rank in places) / 4)
    return math.erfc(max(seen - 0.5, 0) / deviation / math.sqrt(2))
