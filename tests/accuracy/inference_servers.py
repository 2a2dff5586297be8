"""vLLM, SGLang, TensorRT-LLM: what is needed besides the cache, from start-up logs, per GPU.

These servers fill the card with cache, so a total says nothing about need. Scored are the weights, the bytes that the pool
takes for the tokens it holds (asked as one sequence of that many tokens), and the sum of what is not cache.
"""
import re

import gpu_names
import model_names
import weight_names
from records import CONFIGURATION_MISSING, MIB, NOT_A_PEAK_READING, OUT_OF_SCOPE, Reading, Skip, row

CACHE = {"auto": "bf16", "bf16": "bf16", "bfloat16": "bf16", "fp16": "f16", "float16": "f16", "fp8": "fp8", "fp8_e4m3": "fp8",
         "fp8_e5m2": "fp8", "fp8_ds_mla": "fp8"}
NEED = ("weights", "activations", "logits", "temporary", "communication")
# In use before the profile run begins; vLLM counts only what is added to it.
AT_START = ("communication.communicator",)


def number(value):
    """Settings are logged as text as well."""
    return int(float(value)) if value not in (None, "", "null", "None") else None


def truth(value):
    return str(value).lower() == "true"


def version(record, engine):
    found = re.search(r"\d+(?:\.\d+)+", record.get("framework_version") or "")
    if not found and engine == "vllm":
        found = re.search(r"\d+(?:\.\d+)+", record.get("framework") or "")
    if not found and engine == "vllm" and record["config"].get("engine") == "V0":
        return {"framework_version": "0.7"}  # the last release with that engine alone
    return {"framework_version": found.group(0)} if found else {}


def degrees(config, engine):
    """Degrees of parallelism; with data-parallel attention SGLang's tensor parallelism is counted over all replicas."""
    tensor = number(config.get("tensor_parallel")) or 1
    pipeline = number(config.get("pipeline_parallel")) or 1
    data = number(config.get("data_parallel")) or 1
    expert = number(config.get("expert_parallel")) or 1
    if engine == "sglang" and truth(config.get("dp_attention")):
        tensor //= data
    count = tensor * pipeline * data
    request = {"gpu_count": count}
    if count > 1:
        request |= {"tensor_parallel": tensor, "pipeline_parallel": pipeline, "data_parallel": data}
    if expert > 1:
        request["expert_parallel"] = expert
    return request


def cache_type(record):
    config = record["config"]
    kind = str(config.get("kv_dtype") or "auto").lower()
    if kind == "auto" and "float32" in (record.get("quantization") or ""):
        raise Skip(CONFIGURATION_MISSING, "a cache in float32")
    if "FP8 KV" in (record.get("quantization") or "") or "dtype fp8" in " ".join(record.get("assumed") or []):
        kind = "fp8"
    if kind not in CACHE:
        raise Skip(CONFIGURATION_MISSING, f"cache type {kind}")
    return {"kv_cache": CACHE[kind]}


def base(record, engine):
    config = record["config"]
    request = {"task": "serving", "users": 1, "framework": engine}
    request |= model_names.resolve(record["model"], record.get("arch"))
    request |= degrees(config, engine) | version(record, engine)
    card = None if gpu_names.is_foreign(record.get("gpu")) else gpu_names.one(record.get("gpu"))
    request["gpu"] = card or gpu_names.ANY
    return request


def weights_row(record, engine, key):
    if "composed" in record["model"]:
        raise Skip(CONFIGURATION_MISSING, "the loader's figure holds more than the weights")
    request = base(record, engine)
    request["weights"] = weight_names.checkpoint(record.get("quantization"), record["model"])
    if engine == "vllm" and record["config"].get("speculative"):
        # vLLM's figure holds the draft head or draft model as well; SGLang logs each model by itself.
        raise Skip(CONFIGURATION_MISSING, "weights of a draft model are in the figure")
    return request, record["measured_mib"][key] * MIB, Reading("items", "first", ("weights",))


def cache_row(record, engine):
    config = record["config"]
    tokens = number(config.get("kv_tokens"))
    if not tokens:
        raise Skip(NOT_A_PEAK_READING, "the size of a pool whose tokens are not told")
    if config.get("decode_context_parallel", 1) != 1:
        raise Skip(CONFIGURATION_MISSING, "decode context parallelism")
    if engine != "sglang" and model_names.windowed(model_names.find(record["model"], record.get("arch"))):
        # Layers of different reach share the pool's pages, so that its tokens are not those of one sequence.
        raise Skip(NOT_A_PEAK_READING, "a pool shared by layers of different reach")
    request = base(record, engine) | cache_type(record) | {"context": tokens}
    if config.get("max_num_batched_tokens"):
        request["prefill_tokens"] = number(config["max_num_batched_tokens"])
    # States have a pool of their own, sized by slots.
    return request, record["measured_mib"]["kv_cache"] * MIB, Reading("items", "first", ("kv_cache",))


def settings(record, engine):
    """What decides activations, graphs and reservations."""
    config = record["config"]
    request = base(record, engine) | cache_type(record)
    request["weights"] = weight_names.checkpoint(record.get("quantization"), record["model"])
    named = {"context": ("max_model_len", "context_length", "max_seq_len"), "max_sequences": ("max_num_seqs", "max_running_requests"),
             "prefill_tokens": ("max_num_batched_tokens", "chunked_prefill_size")}
    for field, keys in named.items():
        value = next((number(config[key]) for key in keys if config.get(key) not in (None, "null")), None)
        if value and value > 0:
            request[field] = value
    fraction = config.get("gpu_memory_utilization") or config.get("mem_fraction_static") or config.get("free_gpu_memory_fraction")
    if fraction:
        request["memory_fraction"] = float(fraction)
    if config.get("enforce_eager") is not None:
        request["cuda_graphs"] = not truth(config["enforce_eager"])
    return request


def vllm_row(record):
    measured = record["measured_mib"]
    if "before the baseline fix" in (record.get("notes") or ""):
        raise Skip(NOT_A_PEAK_READING, "memory of other processes is in the figure")
    if gpu_names.one(record.get("gpu")) is None:
        raise Skip(CONFIGURATION_MISSING, "the card is not told")
    request = settings(record, "vllm")
    if record["config"].get("speculative"):
        raise Skip(CONFIGURATION_MISSING, "a draft model beside the model")
    total, without, ids = measured.get("non_kv_total"), AT_START, ("runtime.non_torch",)
    if total is None:
        weights = measured.get("weights_plus_non_torch")
        if weights is None:
            weights = measured["weights"] + measured.get("non_torch_forward_increase", measured.get("non_torch", 0))
        total = weights + measured["activation_peak"]
        if measured.get("cuda_graphs", 0) > 0 and request.get("cuda_graphs", True):
            total += measured["cuda_graphs"]
            ids += ("cuda_graphs",)
    return request, total * MIB, Reading("items", "first", NEED, without, ids)


def sglang_row(record):
    """Weights and captured graphs; activations come and go within what is left free."""
    measured = record["measured_mib"]
    request = settings(record, "sglang")
    if record["config"].get("speculative"):
        raise Skip(CONFIGURATION_MISSING, "a draft model beside the model")
    return request, (measured["weights"] + measured["cuda_graphs"]) * MIB, \
        Reading("items", "first", ("weights",), (), ("cuda_graphs",))


def tensorrt_row(record):
    """Engine, execution context, decoder and runtime buffers; limits that are not told are the engine's defaults."""
    measured = record["measured_mib"]
    parts = ("weights_engine", "execution_context", "runtime_buffers", "decoder_buffers")
    total = sum(measured.get(part, 0) for part in parts)
    return settings(record, "tensorrt-llm"), total * MIB, \
        Reading("items", "first", NEED, AT_START, ("runtime.non_torch",))


def total_row(record):
    raise Skip(NOT_A_PEAK_READING, "what a server has reserved")


def rows(record):
    name = record["framework"].lower()
    engine = next(known for known in ("vllm", "sglang", "tensorrt-llm") if name.startswith(known))
    measured = record["measured_mib"]
    if engine == "sglang" and re.search(r"Ascend|NPU", record.get("gpu") or ""):
        def npu():
            raise Skip(OUT_OF_SCOPE, "another vendor's accelerator, with layouts of its own; nobody can choose it")
        yield row(record, "weights" if "weights" in measured else "kv", npu)
        return
    if "EXL3" in (record.get("quantization") or "") or "ROCm fork" in (record.get("gpu") or ""):
        def unknown():
            raise Skip(OUT_OF_SCOPE, "a private fork of the engine")
        yield row(record, engine, unknown)
        return
    for key in ("weights", "weights_engine"):
        if key in measured:
            yield row(record, "weights", lambda: weights_row(record, engine, key), "/weights")
    if "kv_cache" in measured:
        yield row(record, "kv", lambda: cache_row(record, engine), "/kv")
    if gpu_names.is_foreign(record.get("gpu")):
        return  # sizes of weights and cache are the model's; the rest is another vendor's runtime
    if engine == "vllm" and ("non_kv_total" in measured or "activation_peak" in measured):
        yield row(record, engine, lambda: vllm_row(record), "/need")
    elif engine == "sglang" and "cuda_graphs" in measured:
        yield row(record, engine, lambda: sglang_row(record), "/need")
    elif engine == "tensorrt-llm" and "weights_engine" in measured and len(measured.keys() - {"weights_engine", "kv_cache"}):
        yield row(record, engine, lambda: tensorrt_row(record), "/need")
    if any(key.startswith("total") for key in measured):
        yield row(record, engine, lambda: total_row(record), "/total")
