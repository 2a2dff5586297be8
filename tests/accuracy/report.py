"""REPORT.md: what the score finds, for readers."""
import json

import statistics_of_jobs as stats
from records import SKIPS

GIB = 2**30
WORST = 8  # rows shown for each job
EXACT = 0.005  # a job whose worst rows are all closer shows none

INTRODUCTION = """# How accurate the calculator is

Written by `tests/accuracy/score --report`. Each figure is a statistic over sources of each source's own statistic, so that no
big table outweighs the rest; sources of fewer than three rows count as one. An error is (expected - measured) / measured. In
band: share of readings between low and high. False fit: the reading is above the expected value and the default margin. False
refusal: the expected value is more than 1.25 times the reading."""


def percent(value):
    return "–" if value is None else f"{100 * value:.1f} %"


def line(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def amount(row, value):
    return f"{value:g}" if row.reading.level == "sequences" else f"{value / GIB:.3f}"


def table_of_jobs(jobs):
    yield line("job", "sources", "rows", "skipped", "out of scope", "median error", "90th percentile", "bias", "in band",
               "half-width of band", "false fits", "false refusals")
    yield "|---|" + "---:|" * 11
    for name, job in jobs.items():
        yield line(name, job["sources"], job["rows"], f"{job['skipped']} ({percent(stats.skipped_share(job))})",
                   job["out_of_scope"], *[percent(job[key]) for key in stats.STATISTICS])


def table_of_sources(jobs, rows):
    yield line("job", "source", "rows", "median error", "90th percentile", "bias", "in band")
    yield "|---|---|" + "---:|" * 5
    for job in jobs:
        groups = stats.pooled([row for row in rows if row.job == job and row.skip is None])
        for source, members in sorted(groups.items()):
            own = stats.of_source(members)
            yield line(job, source, len(members), *[percent(own[key]) for key in ("median", "p90", "bias", "coverage")])


def table_of_worst(jobs, rows):
    yield line("job", "row", "error", "measured", "expected", "low", "high")
    yield "|---|---|" + "---:|" * 5
    for job in jobs:
        scored = [row for row in rows if row.job == job and row.skip is None and abs(row.error) > EXACT]
        for row in sorted(scored, key=lambda row: (-abs(row.error), row.id))[:WORST]:
            yield line(job, row.id, f"{100 * row.error:+.1f} %", amount(row, row.measured),
                       *[amount(row, row.band[end]) for end in ("expected", "low", "high")])


def list_of_skips(jobs, rows):
    for job in jobs:
        for reason in SKIPS:
            notes = {}
            for row in rows:
                if row.job == job and row.skip == reason:
                    notes.setdefault(row.note, []).append(row.id)
            if not notes:
                continue
            yield f"### {job}: {reason} ({sum(map(len, notes.values()))})"
            yield ""
            for note, ids in sorted(notes.items()):
                yield f"- {note or 'no note'}: {', '.join(ids)}"
            yield ""


def report(jobs, rows):
    parts = [INTRODUCTION, "", *table_of_jobs(jobs), "", "## By source", "", *table_of_sources(jobs, rows), "",
             "## The worst rows of each job (GiB; sequences for `capacity`)", "", *table_of_worst(jobs, rows), "",
             "## Skipped", "", *list_of_skips(jobs, rows)]
    return "\n".join(parts).rstrip("\n") + "\n"


def accuracy_file(jobs):
    """catalog/accuracy.json: what the page says about its own error, by kind of run."""
    entries = [json.dumps({"id": name, "rows": job["rows"], "sources": job["sources"], "median": round(job["median"], 3),
                           "p90": round(job["p90"], 3)}) for name, job in jobs.items() if job["rows"]]
    return ('{\n "note": "Written by tests/accuracy/score --report: absolute error of the expected value, by kind of run.",\n'
            ' "jobs": [\n  ' + ",\n  ".join(entries) + "\n ]\n}\n")


def list_of_rows(rows):
    """Every scored row, worst first, then the skipped ones."""
    for row in sorted((row for row in rows if row.skip is None), key=lambda row: -abs(row.error)):
        yield (f"{row.error:+8.3f} {amount(row, row.measured):>10} {amount(row, row.band['expected']):>10} "
               f"[{amount(row, row.band['low'])} {amount(row, row.band['high'])}] {row.job} | {row.group} | {row.id}")
    for row in rows:
        if row.skip is not None:
            yield f"    skip {row.skip}: {row.note} | {row.job} | {row.group} | {row.id}"
