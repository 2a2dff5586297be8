"""The statistics of the scoring contract: medians over sources of each source's own statistic."""
import math

GIB = 2**30
SMALL_GROUP = 3  # sources with fewer rows are pooled into one


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
        groups["(small sources)"] = pool
    return groups


def job_statistics(rows):
    scored = [row for row in rows if row.skip is None]
    result = {
        "rows": len(scored),
        "skipped": sum(row.skip not in (None, "out_of_scope") for row in rows),
        "out_of_scope": sum(row.skip == "out_of_scope" for row in rows),
    }
    groups = pooled(scored)
    result["sources"] = len(groups)
    if not scored:
        return result
    members = list(groups.values())
    result["median"] = median([median([abs(row.error) for row in group]) for group in members])
    result["p90"] = median([percentile([abs(row.error) for row in group], 0.9) for group in members])
    result["bias"] = median([median([row.error for row in group]) for group in members])
    result["coverage"] = mean(
        [mean([row.band["low"] <= row.measured <= row.band["high"] for row in group]) for group in members])
    result["half_width"] = median(
        [median([(row.band["high"] - row.band["low"]) / (2 * max(1, row.band["expected"])) for row in group])
         for group in members])
    result["false_fits"] = mean(
        [mean([row.measured > row.band["expected"] + row.margin for row in group]) for group in members])
    result["false_refusals"] = mean(
        [mean([row.band["expected"] > 1.25 * row.measured for row in group]) for group in members])
    return result


def by_job(rows):
    jobs = {}
    for row in rows:
        jobs.setdefault(row.job, []).append(row)
    return {job: job_statistics(members) for job, members in sorted(jobs.items())}


def percent(value):
    return "" if value is None else f"{100 * value:.1f} %"


def report(jobs, rows):
    """Markdown: jobs, then sources, then every skipped row."""
    lines = ["# How accurate the calculator is", "",
             "Written by `tests/accuracy/score`; each figure is a median over sources, so that no big table outweighs the rest.",
             "", "| job | sources | rows | skipped | out of scope | median error | 90th percentile | bias | in band | half-width of band | false fits | false refusals |",
             "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for job, s in jobs.items():
        lines.append(f"| {job} | {s['sources']} | {s['rows']} | {s['skipped']} | {s['out_of_scope']} | "
                     + " | ".join(percent(s.get(key)) for key in
                                  ("median", "p90", "bias", "coverage", "half_width", "false_fits", "false_refusals")) + " |")
    lines += ["", "## By source", "", "| job | source | rows | median error | 90th percentile | bias | in band |",
              "|---|---|---:|---:|---:|---:|---:|"]
    for job in jobs:
        for name, group in sorted(pooled([row for row in rows if row.job == job and row.skip is None]).items()):
            errors = [row.error for row in group]
            inside = mean([row.band["low"] <= row.measured <= row.band["high"] for row in group])
            lines.append(f"| {job} | {name} | {len(group)} | {percent(median([abs(e) for e in errors]))} | "
                         f"{percent(percentile([abs(e) for e in errors], 0.9))} | {percent(median(errors))} | {percent(inside)} |")
    skipped = [row for row in rows if row.skip is not None]
    lines += ["", "## Skipped", ""]
    lines += [f"- {row.id} ({row.job}): {row.skip}{'; ' + row.note if row.note else ''}" for row in skipped] or ["None."]
    return "\n".join(lines)


def table_of_rows(rows):
    scored = sorted((row for row in rows if row.skip is None), key=lambda row: -abs(row.error))
    return "\n".join(f"{row.error:+8.3f} {row.measured / GIB:10.3f} {row.band['expected'] / GIB:10.3f} "
                     f"[{row.band['low'] / GIB:.3f} {row.band['high'] / GIB:.3f}] {row.job} {row.group} {row.id}"
                     for row in scored)
