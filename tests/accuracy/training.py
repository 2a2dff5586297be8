"""training.jsonl and capacity.jsonl: the requests are ready."""
from records import GIB, Reading, Skip, CONFIGURATION_MISSING, row

# A reading whose kind the source does not tell is held against what the allocator holds.
LEVELS = {"allocated": "allocated", "reserved": "reserved", "device": "device", "unspecified": "reserved"}


def reading(record):
    quantity = record["measured"]["quantity"]
    if quantity not in LEVELS:
        raise Skip(CONFIGURATION_MISSING, f"unknown quantity {quantity}")
    return record["request"], record["measured"]["gib"] * GIB, Reading(LEVELS[quantity])


def rows(record):
    measured = record.get("measured") or {}
    quantity = measured.get("quantity", "unspecified")
    if quantity == "max_sequences":
        yield row(record, "capacity", lambda: (record["request"], measured["value"], Reading("sequences")))
        return
    yield row(record, f"training-{quantity if quantity in LEVELS else 'unspecified'}", lambda: reading(record))
    # A second reading of the same run: nvidia-smi's peak less its idle reading.
    if record.get("measured_device_gib") and quantity != "device":
        yield row(record, "training-device",
                  lambda: (record["request"], record["measured_device_gib"] * GIB, Reading("device")), "/device")
