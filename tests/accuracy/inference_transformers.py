"""Hugging Face Transformers: tables of peak memory for a prompt and an answer."""
import re

import gpu_names
import model_names
import weight_names
from records import CONFIGURATION_MISSING, MIB, Reading, Skip, row

# kind_of_measure, from the most telling word on; a table that does not say how it was read counts as reserved, as in training.
KINDS = (("max_memory_reserved", "reserved"), ("max_memory_allocated", "allocated"), ("torch max memory", "allocated"),
         ("nvidia-smi", "device"), ("harness", "device"))


def level(record):
    kind = record.get("kind_of_measure") or ""
    return next((name for word, name in KINDS if word in kind), "reserved")


def tokens(config):
    """-> (prompt, prompt and answer)."""
    workload = config.get("workload") or ""
    found = re.match(r"encode (\d+) tokens", workload)
    if found:
        return int(found.group(1)), int(found.group(1))
    found = re.match(r"generate (\d+) tokens", workload)
    if found:
        return 1, int(found.group(1))
    if "sequence_length" in config:  # one forward pass
        return int(config["sequence_length"]), int(config["sequence_length"])
    prompt = config.get("input_tokens", config.get("prefill_tokens", 1))
    answer = config.get("generated_tokens", config.get("decode_tokens"))
    if not isinstance(prompt, int) or not isinstance(answer, int):
        raise Skip(CONFIGURATION_MISSING, "length of prompt and answer not told")
    return prompt, prompt + answer


def cache_type(config):
    kind = str(config.get("kv_dtype") or "bf16").split("(")[0].strip()
    if kind.startswith("int8"):
        raise Skip(CONFIGURATION_MISSING, "Transformers' own int8 cache is not in the vocabulary")
    return {"kv_cache": "f16" if kind in ("fp16", "f16") else "bf16"}


def attention(record):
    kind = str(record["config"].get("flash_attention") or "").lower()
    if "flash" in kind:
        return {"attention": "flash"}
    if any("eager" in text for text in record.get("assumed") or []):
        return {"attention": "eager"}
    return {}


def shares_heads(record, framework):
    """Transformers divides matrices since 4.47; before, several cards shared the layers, whatever a table calls it."""
    release = version(record).get("framework_version", "") if framework == "transformers" else ""
    return not release or tuple(map(int, release.split(".")[:2])) >= (4, 47)


def base(record, framework):
    """The request without its weights; several cards share the layers unless the record tells otherwise."""
    config = record["config"]
    prompt, context = tokens(config)
    count = int(config.get("n_gpus") or config.get("tensor_parallel") or 1)
    request = {"task": "inference", "framework": framework, "batch": int(config.get("batch") or 1), "context": context,
               "prefill_tokens": prompt, "gpu": gpu_names.one(record.get("gpu")) or gpu_names.ANY, "gpu_count": count}
    if count > 1 and config.get("tensor_parallel") == count and shares_heads(record, framework):
        request["tensor_parallel"] = count
    return request | model_names.resolve(record["model"], record.get("arch")) | cache_type(config) | attention(record)


# Releases by the month in which they were the newest, for tables that say when but not with what.
RELEASES = (("2025-07", "4.54"), ("2025-06", "4.53"), ("2025-05", "4.52"), ("2025-04", "4.51"), ("2025-03", "4.50"),
            ("2025-02", "4.49"), ("2025-01", "4.48"), ("2024-12", "4.47"), ("2024-10", "4.46"), ("2024-09", "4.45"),
            ("2024-08", "4.44"), ("2024-07", "4.43"), ("2024-06", "4.42"), ("2024-05", "4.41"), ("2024-04", "4.40"),
            ("2024-03", "4.39"), ("2024-02", "4.38"), ("2024-01", "4.37"), ("2023-12", "4.36"), ("2023-11", "4.35"),
            ("2023-10", "4.34"), ("2023-09", "4.33"), ("2023-08", "4.32"), ("2023-07", "4.31"), ("2023-06", "4.30"),
            ("2023-05", "4.29"), ("2023-03", "4.27"), ("2022-12", "4.25"))


# What a source's own requirements file pins, where its table says neither release nor when it was measured.
PINNED = {"Qwen README tables": "4.32"}


def version(record):
    if record["source_group"] in PINNED:
        return {"framework_version": PINNED[record["source_group"]]}
    found = re.match(r"\d+\.\d+(?:\.\d+)?", record.get("framework_version") or "")
    if found:
        return {"framework_version": found.group(0)}
    date = str(record.get("date") or "")[:7]
    release = next((release for month, release in RELEASES if re.fullmatch(r"\d{4}-\d\d", date) and date >= month), None)
    return {"framework_version": release} if release else {}


def weights(record):
    name = record.get("quantization") or ""
    if name in ("INT4", "INT8"):
        raise Skip(CONFIGURATION_MISSING, "the release's own quantisation is not in the vocabulary")
    if name == "FP16/BF16":
        return {"weights": "fp16"}
    return {"weights": weight_names.checkpoint(name, record["model"])}


def total_row(record):
    request = base(record, "transformers") | version(record) | weights(record)
    if "prefill activations do not show" in (record.get("notes") or ""):
        # What was alive after the prompt: the table's own figures are weights and cache at every length of the prompt.
        return request, record["measured_mib"]["total"] * MIB, Reading("allocated", phase="decode")
    cards = "busiest" if record.get("per_gpu") else "all"
    return request, record["measured_mib"]["total"] * MIB, Reading(level(record), cards)


def rows(record):
    if "total" in record["measured_mib"]:
        yield row(record, "transformers", lambda: total_row(record))
