"""llama.cpp and what is built on it: buffers as logged when the model is loaded, and totals of nvidia-smi.

Readings are sums over devices (the split over cards is rarely told), so they are held against sums over the answer's cards.
`host_*` and devices named CPU or CUDA_Host are not video memory.
"""
import datetime
import re

import gpu_names
import model_names
import weight_names
from records import CONFIGURATION_MISSING, MIB, NOT_A_PEAK_READING, Reading, Row, Skip, row

CACHE_TYPES = ("f16", "bf16", "q8_0", "q5_1", "q5_0", "q4_1", "q4_0", "iq4_nl")
# All experts, and nothing but experts, on the host.
ALL_EXPERTS = re.compile(r"(?:-ot|--override-tensor)[ =]+[\"']?(?:\\?\.)?(?:blk\\\.\.\*)?(?:\\?\.?ffn_\.\*_)?exps(?:\\?\.)?=CPU[\"']?(?=\s|$)")
ANY_OVERRIDE = re.compile(r"(?:-ot|--override-tensor)[ =]")


def placement(config, assumed, layers):
    """'all' on the cards, 'experts' on the host, or raises Skip: any other rule cannot be said in a request."""
    flags = config.get("flags") or ""
    targets = config.get("override_tensor_targets") or []
    moe = re.search(r"--n-cpu-moe[ =](\d+)", flags)
    if "--cpu-moe" in flags or (moe and int(moe.group(1)) >= layers):
        return "experts"
    if moe:
        raise Skip(CONFIGURATION_MISSING, "the experts of some layers on the host")
    overrides = len(ANY_OVERRIDE.findall(flags))
    if overrides and overrides == len(ALL_EXPERTS.findall(flags)):
        return "experts"
    if overrides or any(not re.fullmatch(r"CUDA\d+|ROCm\d+", target) for target in targets):
        raise Skip(CONFIGURATION_MISSING, "tensors placed by rules that a request cannot say")
    if not targets and any("placement rule" in text for text in assumed):
        raise Skip(CONFIGURATION_MISSING, "tensor placement not told")
    return "all"


def cache_types(config):
    """-> {kv_cache, kv_cache_v}: nothing when the record does not tell, which means the default."""
    text = config.get("kv_dtype")
    if not text:
        return {}
    text = text.split("(")[0].strip()
    both = re.fullmatch(r"K (\S+) / V (\S+)", text)
    kinds = both.groups() if both else (text, text)
    kinds = ["f16" if kind == "fp16" else kind for kind in kinds]
    if not all(kind in CACHE_TYPES for kind in kinds):
        raise Skip(CONFIGURATION_MISSING, f"cache type {text}")
    return {"kv_cache": kinds[0]} if kinds[0] == kinds[1] else {"kv_cache": kinds[0], "kv_cache_v": kinds[1]}


# Builds of mainline and the days they were made on; between them the number is interpolated.
BUILDS = (("2023-08-25", 1046), ("2024-01-15", 1878), ("2024-06-15", 3151), ("2025-01-15", 4488), ("2025-05-02", 5269),
          ("2025-08-14", 6168), ("2026-08-23", 10472))


def build_on(day):
    """'2026-06-21' -> about 9750."""
    days = [(datetime.date.fromisoformat(known).toordinal(), build) for known, build in BUILDS]
    at = datetime.date.fromisoformat(day).toordinal()
    for (early, first), (late, last) in zip(days, days[1:]):
        if at <= late:
            return max(BUILDS[0][1], first + (last - first) * (at - early) // (late - early))
    return days[-1][1]


def version(record):
    """'build 5269 (1d36b367)' -> b5269; a commit alone says nothing, the day of the run does."""
    found = re.match(r"(?:build |b)(\d{3,})", record.get("framework_version") or "")
    if found:
        return {"framework_version": f"b{found.group(1)}"}
    if "before SWA-aware KV" in (record.get("notes") or ""):
        return {"framework_version": f"b{build_on('2025-04-01')}"}
    if not record.get("date") and record["config"].get("flash_attention") is False:
        return {"framework_version": f"b{build_on('2025-08-01')}"}  # before it became automatic
    day = (record.get("date") or "") if len(record.get("date") or "") == 10 else f"{record.get('date')}-15"
    return {"framework_version": f"b{build_on(day)}"} if re.fullmatch(r"\d{4}-\d\d-\d\d", day) else {}


def base(record, fork):
    """What all rows of a record ask: everything but the weights and where the experts are."""
    config, arch = record["config"], record.get("arch") or {}
    request = {"task": "inference", "framework": "ik_llama.cpp" if fork else "llama.cpp"}
    request |= model_names.resolve(record["model"], arch, text_only=True)
    context = config.get("n_ctx")
    if not context and config.get("n_ctx_command_line"):
        # llama-perplexity cuts a batch (2,048 tokens unless told) into sequences of n_ctx, all alive at once.
        batch = re.search(r"(?:-b|--batch-size) (\d+)", config.get("flags") or "")
        context = max(config["n_ctx_command_line"], int(batch.group(1)) if batch else config.get("n_batch") or 2048)
    if not context:
        raise Skip(CONFIGURATION_MISSING, "n_ctx not told")
    slots = config.get("n_parallel") or 1
    request |= {"context": max(1, int(context) // slots), "batch": slots}
    request |= cache_types(config)
    if config.get("n_ubatch"):
        request["ubatch"] = int(config["n_ubatch"])
    if config.get("flash_attention") is not None:
        request["attention"] = "flash" if config["flash_attention"] else "eager"
    layers = re.search(r"(?:-ngl|--n-gpu-layers|--gpu-layers) (\d+)", config.get("flags") or "")
    if config.get("gpu_layers"):
        on_gpu, _, of = str(config["gpu_layers"]).partition("/")
        request["gpu_layers"] = "all" if of and int(on_gpu) >= int(of) else int(on_gpu)
    elif layers:
        request["gpu_layers"] = int(layers.group(1))
    request["gpus"] = gpu_names.several(record.get("gpu"), int(config.get("n_gpus") or len(gpu_names.listed(record.get("gpu")))))
    if not fork:
        request |= version(record)
    return request


def layers_of(record):
    model = model_names.find(record["model"], record.get("arch"))
    return model.get("layers", 0)


def with_weights(request, record):
    config = record["config"]
    where = placement(config, record.get("assumed") or [], layers_of(record))
    request = request | {"weights": weight_names.gguf(record.get("quantization"), record.get("tensor_types"), record["model"])}
    return request | {"cpu_experts": True} if where == "experts" else request


def expanded_latents(record):
    """The fork's older ways to keep a latent cache: full heads (-mla 0), or a second transposed copy (-mla 1, or no flash)."""
    config, arch = record["config"], record.get("arch") or {}
    if not arch.get("kv_lora_rank") and "MLA" not in str(config.get("kv_dtype")):
        return False
    return config.get("mla_attn") in (0, 1) or not config.get("flash_attention")


def cache_row(record, fork):
    config, measured = record["config"], record["measured_mib"]
    if "host_kv_cache" in measured and measured["host_kv_cache"] and str(config.get("gpu_layers", "")).partition("/")[0] == "0":
        raise Skip(NOT_A_PEAK_READING, "the cache is on the host")
    if re.search(r"-nkvo|--no-kv-offload", config.get("flags") or ""):
        raise Skip(NOT_A_PEAK_READING, "the cache is on the host")
    if (fork and expanded_latents(record)) or "non-MLA" in (record.get("notes") or ""):
        raise Skip(CONFIGURATION_MISSING, "latent cache kept another way (-mla)")
    request = base(record, fork)
    state = measured.get("recurrent_state") or 0
    # The fork logs states inside the cache's line; other tables say so where they do.
    groups = ("kv_cache", "state") if state or fork or "recurrent state" in (record.get("notes") or "") else ("kv_cache",)
    if config.get("spec_draft_n_max") or config.get("n_rs_seq"):
        raise Skip(CONFIGURATION_MISSING, "states of draft tokens")
    if state and "kv_cache" not in measured:
        return request, state * MIB, Reading("items", "all", ("state",))
    return request, (measured["kv_cache"] + state) * MIB, Reading("items", "all", groups)


def weights_row(record, fork):
    request = with_weights(base(record, fork), record)
    return request, record["measured_mib"]["weights"] * MIB, Reading("items", "all", ("weights",))


def no_draft(record):
    if record["config"].get("speculative") or re.search(r"_spec-(?!none)", record.get("source") or ""):
        raise Skip(CONFIGURATION_MISSING, "a draft model beside the model")


def buffers_row(record, fork):
    measured = record["measured_mib"]
    total = measured.get("total_logged_buffers")
    if total is None:
        total = sum(measured[key] for key in ("weights", "kv_cache", "compute")) + (measured.get("recurrent_state") or 0)
    if fork and expanded_latents(record):
        raise Skip(CONFIGURATION_MISSING, "latent cache kept another way (-mla)")
    if re.search(r"-nkvo|--no-kv-offload", record["config"].get("flags") or ""):
        raise Skip(CONFIGURATION_MISSING, "the cache on the host cannot be said")
    no_draft(record)
    return with_weights(base(record, fork), record), total * MIB, Reading("reserved", "all")


def device_row(record, fork, key):
    measured = record["measured_mib"]
    no_draft(record)
    total = measured[key] - (measured.get("idle_baseline") or 0)
    level = "reserved" if record.get("kind_of_measure", "").startswith("program log") and key == "total" else "device"
    return with_weights(base(record, fork), record), total * MIB, Reading(level, "all")


def rows(record):
    name = record["framework"].lower()
    fork = name.startswith("ik_")
    job = "llama.cpp-fork" if fork or "fork" in name else "llama.cpp"
    measured = record["measured_mib"]
    made = False
    if "weights" in measured:
        made = True
        yield row(record, "weights", lambda: weights_row(record, fork), "/weights")
    if "kv_cache" in measured or "recurrent_state" in measured:
        made = True
        yield row(record, "kv", lambda: cache_row(record, fork), "/kv")
    if "total_logged_buffers" in measured or {"weights", "kv_cache", "compute"} <= measured.keys():
        made = True
        yield row(record, job, lambda: buffers_row(record, fork), "/buffers")
    for key in ("total_nvidia_smi_peak", "total_nvidia_smi", "total_driver_gtt_delta", "total"):
        if key in measured:
            made = True
            yield row(record, job, lambda: device_row(record, fork, key), "/device")
            break
    if not made:
        yield Row(record["id"], record["source_group"], job, skip=NOT_A_PEAK_READING,
                  note="one buffer of several: " + ", ".join(sorted(measured)))
