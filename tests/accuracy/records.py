"""Measured runs as rows to score: the request, the job, and the number of the answer that the reading is held against.

One record gives one row for each of its readings. Which readings those are, and how a record's settings become a request,
stands in one file per kind of run: training.py, inference_*.py, vision.py. A setting that the vocabulary cannot say, or that
the record does not tell, skips the row with a reason; nothing is guessed silently and no record stops the run.
"""
from dataclasses import dataclass, field
from typing import Optional

GIB = 2**30
MIB = 2**20

OUT_OF_SCOPE = "out_of_scope"
MODEL_UNKNOWN = "model_unknown"
CONFIGURATION_MISSING = "configuration_missing"
NOT_A_PEAK_READING = "not_a_peak_reading"
SKIPS = (OUT_OF_SCOPE, MODEL_UNKNOWN, CONFIGURATION_MISSING, NOT_A_PEAK_READING)
ENDS = ("low", "expected", "high")


class Skip(Exception):
    """A row that cannot be scored."""

    def __init__(self, reason, note):
        super().__init__(note)
        self.reason = reason
        self.note = note


@dataclass(frozen=True)
class Reading:
    """What of an answer a measurement is held against."""

    level: str  # allocated, reserved, device; items; sequences
    gpus: str = "busiest"  # busiest; first (rank 0); all (a sum over devices)
    groups: tuple = ()  # level items: these groups,
    without: tuple = ()  # but not these items
    ids: tuple = ()  # and these items, whatever their group
    phase: str = ""  # level allocated: of this phase instead of the peak

    def band(self, answer):
        """-> (low, expected and high of the answer, the default margin of the cards that are read)."""
        if self.level == "sequences":
            value = answer.get("reservation", {}).get("sequences", 0)
            return dict.fromkeys(ENDS, value), max(1, 0.03 * value)  # what the goal for capacity allows
        if self.phase:
            phase = next(phase for phase in answer["phases"] if phase["id"] == self.phase)
            return dict(phase[self.level]), answer["gpus"][0]["margin"]
        cards = answer["gpus"] if self.gpus == "all" else answer["gpus"][:1]
        margin = sum(card["margin"] for card in cards)
        if self.level == "items":
            bands = [self._items(card) for card in cards]
        elif self.gpus == "busiest":
            bands = [answer["memory"][self.level]]
        else:
            bands = [card["memory"][self.level] for card in cards]
        return {end: sum(band[end] for band in bands) for end in ENDS}, margin

    def _items(self, card):
        """The largest sum over a phase of the items that count: what is alive in different phases does not add up."""
        chosen = [item for item in card["items"]
                  if item["id"] in self.ids or (item["group"] in self.groups and item["id"] not in self.without)]
        phases = {phase for item in chosen for phase in item["phases"]}
        sums = [{end: sum(item["bytes"][end] for item in chosen if phase in item["phases"]) for end in ENDS}
                for phase in sorted(phases)]
        return max(sums, key=lambda band: band["expected"], default=dict.fromkeys(ENDS, 0))


@dataclass
class Row:
    """One reading of one run."""

    id: str
    group: str  # source_group
    job: str
    request: Optional[dict] = None
    measured: float = 0  # bytes; sequences for job `capacity`
    reading: Optional[Reading] = None
    skip: Optional[str] = None
    note: str = ""
    band: dict = field(default_factory=dict)
    margin: float = 0

    def compare(self, answer):
        """Takes the number this row is held against from an answer; an error of the calculator skips the row."""
        if "error" in answer:
            error = answer["error"]
            self.skip = MODEL_UNKNOWN if error.get("field") == "model" else CONFIGURATION_MISSING
            self.note = error.get("message", "")
            return
        self.band, self.margin = self.reading.band(answer)

    @property
    def error(self):
        return (self.band["expected"] - self.measured) / self.measured


def row(record, job, make, suffix=""):
    """A row of a record: `make()` gives (request, measured, reading), or raises Skip."""
    result = Row(record["id"] + suffix, record["source_group"], job)
    try:
        result.request, result.measured, result.reading = make()
        if not result.measured > 0:
            raise Skip(NOT_A_PEAK_READING, f"reads {result.measured:g}")
    except Skip as skip:
        result.skip, result.note = skip.reason, skip.note
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        result.skip, result.note = CONFIGURATION_MISSING, f"{type(error).__name__}: {error}"
    return result


def read(record):
    """The rows of a record, whichever file it comes from: its shape tells."""
    import inference
    import training
    import vision

    if not isinstance(record, dict):
        record = {"id": str(record)}
    record = record | {key: str(record.get(key) or "(not told)") for key in ("id", "source_group")}
    shapes = (("request", training), ("measured_mib", inference), ("memory_gib", vision), ("measure_class", vision))
    kind = next((module for key, module in shapes if key in record), None)
    if kind is None:
        return [Row(record["id"], record["source_group"], "unknown", skip=CONFIGURATION_MISSING,
                    note="neither a request nor a collected record")]
    try:
        return list(kind.rows(record))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        return [Row(record["id"], record["source_group"], "unknown", skip=CONFIGURATION_MISSING,
                    note=f"{type(error).__name__}: {error}")]
