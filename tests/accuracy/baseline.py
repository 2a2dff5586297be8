"""baseline.json: what each job has reached; nothing may get worse without it being changed, with a reason."""
import json
import pathlib
import subprocess

import statistics_of_jobs as stats

PATH = pathlib.Path(__file__).resolve().parent / "baseline.json"
WATCHED = ("median", "p90", "false_fits", "skipped_share")  # less is better
COVERAGE = (0.86, 0.97)
DIGITS = 4
ROUNDING = 0.0005  # a figure of the report has one digit of a percent


def off_coverage(value):
    """How far outside the wanted coverage."""
    return max(0, COVERAGE[0] - value, value - COVERAGE[1])


def figures(jobs):
    result = {}
    for name, job in jobs.items():
        own = {key: job[key] for key in ("median", "p90", "false_fits", "coverage")}
        own["skipped_share"] = stats.skipped_share(job)
        result[name] = {key: None if value is None else round(value, DIGITS) for key, value in own.items()}
    return result


def write(jobs, reason):
    PATH.write_text(json.dumps({"reason": reason, "jobs": figures(jobs)}, indent=1) + "\n", encoding="utf-8")


def read():
    return json.loads(PATH.read_text(encoding="utf-8"))


def committed():
    """The baseline of the last commit, or None."""
    done = subprocess.run(["git", "-C", str(PATH.parent), "show", f"HEAD:./{PATH.name}"], capture_output=True, text=True,
                          check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def worse(old, new):
    """What of `new` is worse than `old`, as lines."""
    for name, was in sorted(old.items()):
        now = new.get(name)
        if now is None:
            yield f"{name}: the job is gone"
            continue
        for key in WATCHED:
            if was[key] is None:
                continue
            if now[key] is None or now[key] > was[key] + ROUNDING:
                yield f"{name}: {key} {now[key]} was {was[key]}"
        if was["coverage"] is not None and now["coverage"] is not None and \
                off_coverage(now["coverage"]) > off_coverage(was["coverage"]) + ROUNDING:
            yield f"{name}: coverage {now['coverage']} was {was['coverage']}"
    for name in sorted(new.keys() - old.keys()):
        yield f"{name}: the job has no baseline"


def exceptions(new):
    """Jobs whose bands hold too few or too many readings: known, to be mended with the bands."""
    for name, now in sorted(new.items()):
        if now["coverage"] is not None and off_coverage(now["coverage"]):
            yield f"{name}: {100 * now['coverage']:.1f} % of the readings in band"
