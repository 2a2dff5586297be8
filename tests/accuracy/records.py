"""Measured runs as rows to score: the request, the job, and the number of the answer that the reading is held against."""
from dataclasses import dataclass, field
from typing import Optional

GIB = 2**30


@dataclass
class Row:
    """One reading of one run."""

    id: str
    group: str  # source_group
    job: str
    request: Optional[dict] = None
    measured: float = 0  # bytes, or sequences for job `capacity`
    level: str = ""  # allocated, reserved, device; items:<group,...>; sequences
    skip: Optional[str] = None  # out_of_scope, model_unknown, configuration_missing, not_a_peak_reading
    note: str = ""
    band: dict = field(default_factory=dict)  # low, expected, high of the answer
    margin: float = 0

    def compare(self, answer):
        """Takes the number this row is held against from an answer; an error of the calculator skips the row."""
        if "error" in answer:
            error = answer["error"]
            self.skip = "model_unknown" if error["field"] == "model" else "configuration_missing"
            self.note = error["message"]
            return
        self.margin = answer["gpus"][0]["margin"]
        if self.level == "sequences":
            value = answer.get("reservation", {}).get("sequences", 0)
            self.band = {"low": value, "expected": value, "high": value}
        elif self.level.startswith("items:"):
            groups = self.level[len("items:"):].split(",")
            items = [item["bytes"] for item in answer["gpus"][0]["items"] if item["group"] in groups]
            self.band = {end: sum(item[end] for item in items) for end in ("low", "expected", "high")}
        else:
            self.band = answer["memory"][self.level]

    @property
    def error(self):
        return (self.band["expected"] - self.measured) / self.measured


def training(record):
    """training.jsonl: ready requests; a second reading of the same run (nvidia-smi) is a row of its own."""
    quantity = record["measured"]["quantity"]
    level = {"allocated": "allocated", "reserved": "reserved", "device": "device", "unspecified": "reserved"}[quantity]
    yield Row(record["id"], record["source_group"], f"training-{quantity}", record["request"],
              record["measured"]["gib"] * GIB, level)
    if "measured_device_gib" in record and quantity != "device":
        yield Row(record["id"] + "/device", record["source_group"], "training-device", record["request"],
                  record["measured_device_gib"] * GIB, "device")


def capacity(record):
    """capacity.jsonl: how many full-length sequences a server admits."""
    yield Row(record["id"], record["source_group"], "capacity", record["request"], record["measured"]["value"],
              "sequences")


def read(record):
    """The rows of a record, whichever file it comes from: the shape tells."""
    if "request" in record:
        is_capacity = record["measured"]["quantity"] == "max_sequences"
        return list((capacity if is_capacity else training)(record))
    raise ValueError("neither a request nor a known record")
