"""The statistics of the scoring contract: medians over sources of each source's own statistic."""
import math

from records import OUT_OF_SCOPE

SMALL_GROUP = 3  # sources with fewer rows are pooled into one
POOL = "(small sources)"
FALSE_REFUSAL = 1.25  # expected above this multiple of the reading
STATISTICS = ("median", "p90", "bias", "coverage", "half_width", "false_fits", "false_refusals")


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def percentile(values, share):
    """Nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def mean(values):
    return sum(values) / len(values)


def pooled(rows):
    """Rows by source; small sources become one."""
    groups = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    small = [name for name, members in groups.items() if len(members) < SMALL_GROUP]
    pool = [row for name in small for row in groups.pop(name)]
    if pool:
        groups[POOL] = pool
    return groups


def inside(row):
    return row.band["low"] <= row.measured <= row.band["high"]


def half_width(row):
    return (row.band["high"] - row.band["low"]) / (2 * max(1, row.band["expected"]))


def of_source(rows):
    """The statistics of one source's rows."""
    errors = [row.error for row in rows]
    sizes = [abs(error) for error in errors]
    return {
        "median": median(sizes),
        "p90": percentile(sizes, 0.9),
        "bias": median(errors),
        "coverage": mean([inside(row) for row in rows]),
        "half_width": median([half_width(row) for row in rows]),
        "false_fits": mean([row.measured > row.band["expected"] + row.margin for row in rows]),
        "false_refusals": mean([row.band["expected"] > FALSE_REFUSAL * row.measured for row in rows]),
    }


def of_job(rows):
    scored = [row for row in rows if row.skip is None]
    sources = [of_source(members) for members in pooled(scored).values()]
    result = {
        "sources": len(sources),
        "rows": len(scored),
        "skipped": sum(row.skip not in (None, OUT_OF_SCOPE) for row in rows),
        "out_of_scope": sum(row.skip == OUT_OF_SCOPE for row in rows),
    }
    over_sources = {"coverage": mean, "false_fits": mean, "false_refusals": mean}
    for name in STATISTICS:
        result[name] = over_sources.get(name, median)([source[name] for source in sources]) if sources else None
    return result


def skipped_share(job):
    """Of the rows that are in scope."""
    return job["skipped"] / max(1, job["skipped"] + job["rows"])


def by_job(rows):
    jobs = {}
    for row in rows:
        jobs.setdefault(row.job, []).append(row)
    return {job: of_job(members) for job, members in sorted(jobs.items())}
