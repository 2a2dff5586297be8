"""Models as records name them -> `model` or `architecture` of a request."""
import functools
import json
import pathlib
import re

from records import MODEL_UNKNOWN, Skip

CATALOGUE = pathlib.Path(__file__).resolve().parents[2] / "catalog" / "models.json"

# Names that say the shape of a catalogue model in other words (same configuration, other weights).
SAME_SHAPE = {
    "meta-llama-3.1-8b": "llama-3.1-8b", "llama-3-8b": "meta-llama-3-8b", "llama-3.1-405b-fp8": "llama-3.1-405b",
    "llama-3-70b": "llama-3.1-70b", "llama-7b": "llama-2-7b", "llama-13b": "llama-2-13b", "vicuna-7b": "llama-2-7b",
    "mistral-7b": "mistral-7b-v0.1", "tinyllama-1b": "tinyllama-1.1b", "mixtral-46.7b": "mixtral-8x7b",
    "mixtral-8x7b-v0.1": "mixtral-8x7b", "qwen-1.8b": "qwen-1_8b", "qwen25-3b": "qwen2.5-3b", "qwen2-5-3b": "qwen2.5-3b",
    "qwen3-coder-30b-a3b": "qwen3-30b-a3b", "qwen3-30b-a3b-128k": "qwen3-30b-a3b", "kimi-dev-72b": "qwen2.5-72b",
    "qwen3-235b-a22b-128k": "qwen3-235b-a22b", "smoothie-qwen3-235b-a22b": "qwen3-235b-a22b",
    "deepseek-r1-0528-qwen3-8b": "qwen3-8b", "qwen3-vl-embedding-2b": "qwen3-vl-2b", "deepseek-v2.5": "deepseek-v2",
    "deepseek-v2.5-1210": "deepseek-v2", "deepseek-v3.2-exp": "deepseek-v3.2", "command-r-35b": "c4ai-command-r-v01",
    "chatglm2-6b": "chatglm3-6b", "27b-hybrid": "qwen3.5-27b", "ling-flash-256x3.4b-2.0": "ling-flash-2.0",
    "huihui-gpt-oss-20b": "gpt-oss-20b", "qwen3-next-80b": "qwen3-next-80b-a3b", "8b-bf16-model": "llama-3.1-8b",
    "gemma4-31b": "gemma-4-31b",
}

# Plain public models that the catalogue lacks, from their configuration files.
SHAPES = {
    "deepseek-llm-7b": {"hidden": 4096, "layers": 30, "heads": 32, "ffn": 11008, "vocab": 102400},
    "deepseek-llm-67b": {"hidden": 8192, "layers": 95, "heads": 64, "kv_heads": 8, "ffn": 22016, "vocab": 102400},
    "deepseek-33b": {"hidden": 7168, "layers": 62, "heads": 56, "kv_heads": 8, "ffn": 19200, "vocab": 32256},
    "llama-33b": {"hidden": 6656, "layers": 60, "heads": 52, "ffn": 17920, "vocab": 32000},
    "orca-mini-3b": {"hidden": 3200, "layers": 26, "heads": 32, "ffn": 8640, "vocab": 32000},
    "mpt-7b": {"hidden": 4096, "layers": 32, "heads": 32, "ffn": 16384, "vocab": 50432, "tied": True, "mlp": "plain",
               "norm": "layernorm", "linear_bias": False, "fused_qkv": True},
    "pythia-2.8b": {"hidden": 2560, "layers": 32, "heads": 32, "ffn": 10240, "vocab": 50304, "mlp": "plain",
                    "norm": "layernorm", "fused_qkv": True},
}

# GGUF architectures whose header says the whole shape.
PLAIN = {"llama": {}, "qwen2": {"qkv_bias": True}, "qwen3": {"qk_norm": "head"}, "qwen3moe": {"qk_norm": "head"}}

ENDINGS = re.compile(
    r"-(gguf|awq|awq-4bit|awq-int4|int4-awq|gptq|gptq-int[48]|fp8|fp8-dynamic|fp8-block|nvfp4|nvfp4-mtp|int4|int8|w4a16|int4-w4a16"
    r"|w8a8|w8a8-quarot|w8a8-mindie|w4a8-per-channel|quantized\.w\w+|bnb-4bit|unsloth-bnb-4bit|unsloth|mxfp4|qat|bf16|f16"
    r"|(?:ud-)?i?q\d(?:-[a-z0-9]+)*|ud|exl[23].*|thireus.*|special-tensor|merged|hf|base|it|instruct|chat|thinking|class|distill|abliterated"
    r"|abliterated-v\d|mix|mtp|v100|128k|0\d\d\d|1\d\d\d|2\d\d\d|v\d)$")


@functools.lru_cache(maxsize=None)
def catalogue():
    """Every id and alias in lower case (an alias also without its owner) -> the catalogue's model."""
    known = {}
    for model in json.loads(CATALOGUE.read_text(encoding="utf-8"))["models"]:
        for name in [model["id"], *model.get("aliases", [])]:
            known.setdefault(name.lower(), model)
            known.setdefault(name.lower().split("/")[-1], model)
    return known


def plainer(name):
    """The name, and what is left as marks of format, date and tuning are taken off its end."""
    text = re.sub(r"\s*\(.*?\)|\s\+.*|,.*|[.](?=i?q\d)", lambda m: "-" if m.group(0) == "." else "", name or "")
    text = re.sub(r"[_\s]+", "-", text.strip().lower()).replace("---", "-")
    if "/" in name and "/" in text:
        yield text
    text = re.sub(r"^(unsloth|redhatai|zai-org|smoothie)-(?=.)", "", text.split("/")[-1])
    while True:
        yield text
        shorter = ENDINGS.sub("", text)
        if shorter == text:
            return
        text = shorter


def windowed(model):
    """Layers that keep less than every token: windows, chunks, recurrent states."""
    return any(key in model for key in ("sliding_window", "attention_chunk", "gdn", "kda", "mamba1", "mamba2", "conv_cache"))


def by_header(arch):
    """A catalogue model with the header's sizes, or None."""
    wanted = {"hidden": arch.get("n_embd"), "vocab": arch.get("n_vocab"), "heads": arch.get("n_head")}
    if not all(wanted.values()):
        return None
    for model in catalogue().values():
        layers = arch.get("n_layer", 0) - arch.get("nextn_predict_layers", 0)
        if all(model.get(key) == value for key, value in wanted.items()) and model.get("layers") == layers and \
                model.get("experts", 0) == arch.get("n_expert", 0) and model.get("ffn", 0) in (arch.get("n_ff"), 0):
            return model
    return None


def from_header(arch):
    """An `architecture` from a GGUF header of a plain family, or None."""
    family = PLAIN.get(arch.get("architecture"))
    sizes = {"hidden": "n_embd", "layers": "n_layer", "heads": "n_head", "kv_heads": "n_head_kv", "head_dim": "head_dim_k",
             "ffn": "n_ff", "vocab": "n_vocab"}
    if family is None or not all(arch.get(key) for key in sizes.values()):
        return None
    shape = {key: arch[name] for key, name in sizes.items()} | family
    if arch.get("n_expert"):
        shape |= {"experts": arch["n_expert"], "experts_per_token": arch.get("n_expert_used", 1),
                  "moe_ffn": arch.get("n_ff_exp") or arch["n_ff"]}
    # The header does not say whether the output layer is the embedding; the number of parameters does.
    count = re.match(r"([\d.]+)\s*([BM])", str(arch.get("params", "")))
    if count and not arch.get("n_expert"):
        told = float(count.group(1)) * {"B": 1e9, "M": 1e6}[count.group(2)]
        layer = shape["hidden"] * shape["head_dim"] * 2 * (shape["heads"] + shape["kv_heads"]) + \
            3 * shape["hidden"] * shape["ffn"]
        body = shape["layers"] * layer
        table = shape["hidden"] * shape["vocab"]
        shape["tied"] = abs(body + table - told) < abs(body + 2 * table - told)
    return shape


def find(name, arch=None):
    """The catalogue's model, or a plain shape; raises Skip when neither is known."""
    arch = arch or {}
    if re.search(r"REAP", name or "", re.IGNORECASE):
        raise Skip(MODEL_UNKNOWN, f"{name}: experts removed")
    for text in plainer(name):
        text = SAME_SHAPE.get(text, text)
        if text in catalogue():
            return catalogue()[text]
        if text in SHAPES:
            return SHAPES[text]
    found = by_header(arch) or from_header(arch)
    if found is None:
        raise Skip(MODEL_UNKNOWN, f"{name}")
    return found


def resolve(name, arch=None, text_only=False):
    """-> the request's keys. `text_only`: the vision part was not loaded (a GGUF model without its projector)."""
    model = find(name, arch)
    if "id" not in model:
        return {"architecture": model}
    if text_only and "vision" in model:
        left_out = ("id", "name", "family", "kind", "aliases", "source", "unverified", "vision", "params_total")
        return {"architecture": {key: value for key, value in model.items() if key not in left_out}}
    return {"model": model["id"]}
