"""training.jsonl and capacity.jsonl: the requests are ready but for what the source tells in prose: versions, k-bit preparation."""
import re

from records import GIB, Reading, Skip, CONFIGURATION_MISSING, row

# A reading whose kind the source does not tell is held against what the allocator holds.
LEVELS = {"allocated": "allocated", "reserved": "reserved", "device": "device", "unspecified": "reserved"}

# What a stated framework was released as, where it names no version: the first pattern that matches.
VERSIONS = (
    (r"transformers (\d+\.\d+(?:\.\d+)?)", None),
    (r"^HF Trainer \(2022-01\)", "4.15"),  # the release of that month
    (r"^QwenLM/Qwen finetune.py", "4.32"),  # pinned in its requirements
    (r"torchtitan (?:9dec370|PR 778|0\.0\.2)|torchtitan 2025-03", "0.0.2"),
    (r"torchtitan|torch 2\.9", "0.1"),
    (r"^lit-gpt", "0.1"),  # before the package litgpt
)


def version(stated):
    for pattern, release in VERSIONS:
        found = re.search(pattern, stated)
        if found:
            return release or found.group(1)
    return None


def request_of(record):
    request = dict(record["request"])
    stated = record.get("framework_as_stated") or ""
    if "torchtitan" in record["source_group"]:
        request["framework"] = "torchtitan"  # torchao's tables were made with it
    release = version(stated)
    if release and "framework_version" not in request:
        request["framework_version"] = release
    # fms-acceleration's own adapters leave embeddings and norms in 16 bits; its baseline is PEFT's preparation.
    if "(accelerated-peft-bnb" in stated:
        request["kbit_upcast"] = False
    # Qwen's modelling code computes the loss on the logits as they come: 16-bit in DeepSpeed's engine, which has no autocast.
    if stated.startswith("QwenLM/Qwen") and str(request.get("sharding")).startswith("zero"):
        request["loss"] = "full"
    # torchtune's table of flags is cumulative: the step is fused into the backward pass before activations are offloaded.
    if record["id"].startswith("torchtune-flags-") and request["task"] == "full" and \
            request.get("offload") == "activations":
        request["optimizer_implementation"] = "in_backward"
    return request


def reading(record):
    quantity = record["measured"]["quantity"]
    if quantity not in LEVELS:
        raise Skip(CONFIGURATION_MISSING, f"unknown quantity {quantity}")
    return request_of(record), record["measured"]["gib"] * GIB, Reading(LEVELS[quantity])


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
                  lambda: (request_of(record), record["measured_device_gib"] * GIB, Reading("device")), "/device")
