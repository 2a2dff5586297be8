"""ExLlama, AutoAWQ, GPTQ-for-LLaMa, torchao with compile, LitGPT."""
import re

import gpu_names
import inference_transformers as transformers
import model_names
import weight_names
from records import CONFIGURATION_MISSING, MIB, Reading, Skip, row

# torchao's and LitGPT's scripts: their short default prompt, and torchao's default answer of 200 tokens.
SHORT_PROMPT = 6
SCRIPT_ANSWER = 200
# LitGPT has no inference rules of its own.
FRAMEWORKS = (("torchao", "torchao"), ("transformers + torchao", "torchao"), ("autoawq", "autoawq"), ("gptq", "gptq"),
              ("litgpt", "pytorch"))


def exllama(record):
    config = record["config"]
    bits = re.search(r"exl([23])-(\d+(?:\.\d+)?)bpw", record.get("quantization") or "")
    if not bits:
        raise Skip(CONFIGURATION_MISSING, f"bit rate not told ({record.get('quantization')})")
    count = int(config.get("n_gpus") or 1)
    cache = str(config.get("kv_dtype") or "f16")
    request = {"task": "inference", "framework": "exllama", "weights": f"exl{bits.group(1)}-{float(bits.group(2)):g}",
               "context": int(config["n_ctx"]), "kv_cache": "f16" if cache == "fp16" else cache,
               "gpu": gpu_names.one(record.get("gpu")) or gpu_names.ANY, "gpu_count": count}
    if count > 1 and config.get("tensor_parallel") == count:
        request["tensor_parallel"] = count
    return request | model_names.resolve(record["model"], record.get("arch"), text_only=True)


def script(record):
    """Scripts that generate a fixed answer to a short prompt."""
    config = dict(record["config"])
    answer = config.get("generated_tokens")
    if isinstance(answer, str) and "(200)" in answer:
        answer = SCRIPT_ANSWER
    elif isinstance(answer, str):
        raise Skip(CONFIGURATION_MISSING, f"length of the answer not told ({answer})")
    if answer is not None and "prompt" in config:
        config |= {"input_tokens": SHORT_PROMPT, "generated_tokens": answer}
    name = record["framework"].lower()
    framework = next(known for prefix, known in FRAMEWORKS if name.startswith(prefix))
    quantisation = record.get("quantization") or ""
    request = transformers.base(record | {"config": config}, framework)
    if framework == "autoawq":
        # Its fused attention for grouped heads multiplies out all scores; the tables' older rows, of models whose heads all
        # have keys of their own, show none.
        model = model_names.find(record["model"], record.get("arch"))
        grouped = model.get("kv_heads", model["heads"]) != model["heads"]
        request |= transformers.version(record) | {"attention": "eager" if grouped else "sdpa"}
    if framework == "pytorch" and "architecture" not in request:
        # LitGPT's own model always has a head of its own.
        request["architecture"] = {"tied": False}
    return request | {"weights": weight_names.checkpoint(quantisation, record["model"])}


def total_row(record):
    make = exllama if record["framework"].lower().startswith("exllama") else script
    cards = "busiest" if record.get("per_gpu") else "all"
    return make(record), record["measured_mib"]["total"] * MIB, Reading(transformers.level(record), cards)


def rows(record):
    if "total" in record["measured_mib"]:
        yield row(record, "other-inference", lambda: total_row(record))
