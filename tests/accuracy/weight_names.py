"""Names of quantisations -> values of the field `weights`."""
import re

from records import CONFIGURATION_MISSING, Skip

PLAIN = {"bf16": "bf16", "bfloat16": "bf16", "fp16": "fp16", "float16": "fp16", "f16": "fp16", "fp32": "fp32", "float32": "fp32"}

# What a file made by llama-quantize without overrides may hold besides f32: the mix's own types and the types that matrices
# get whose rows are no multiple of 256 (llama-quant.cpp). Any other type tells of a hand-made mix under the same name.
FALLBACK = {"q4_0", "q5_0", "q5_1", "q8_0", "iq4_nl"}
MIX_TYPES = {
    "q2_k": {"q2_K", "q3_K", "q4_K", "q6_K"}, "q2_k_s": {"q2_K", "q3_K", "q4_K", "q6_K"},
    "q3_k_s": {"q3_K", "q6_K"}, "q3_k_m": {"q3_K", "q4_K", "q5_K", "q6_K"}, "q3_k_l": {"q3_K", "q5_K", "q6_K"},
    "q4_k_s": {"q4_K", "q5_K", "q6_K"}, "q4_k_m": {"q4_K", "q6_K"}, "q5_k_s": {"q5_K", "q6_K"}, "q5_k_m": {"q5_K", "q6_K"},
    "q6_k": {"q6_K"}, "q8_0": {"q8_0"}, "q4_0": {"q4_0", "q6_K"}, "q4_1": {"q4_1", "q6_K"}, "q5_0": {"q5_0", "q6_K"},
    "q5_1": {"q5_1", "q6_K"}, "iq4_xs": {"iq4_xs", "q5_K", "q6_K"}, "iq4_nl": {"iq4_nl", "q5_K", "q6_K"},
    "iq3_xxs": {"iq3_xxs", "iq3_s", "iq2_s", "q4_K", "q5_K"}, "iq3_s": {"iq3_s", "q4_K", "q6_K"},
    "mxfp4_moe": {"mxfp4"}, "gguf_bf16": {"bf16"}, "gguf_f16": {"f16"},
}
# Files with a single type are that type's plain file, whatever the name says.
PURE = {"q8_0": "q8_0", "q6_K": "q6_k", "bf16": "gguf_bf16", "f16": "gguf_f16"}
SIZES = {"small": "_s", "medium": "_m", "large": "_l"}


def gguf_mix(name):
    """'Q4_K - Medium ; file 17.28 GiB (4.86 BPW)', 'GGUF-Q4_K_M', 'IQ4_XS - 4.25 bpw' -> the mix's name, or None."""
    text = (name or "").lower().replace("gguf-", "").replace("mxfp4 moe", "mxfp4_moe")
    found = re.match(r"\s*(i?q\d_[a-z0-9_]+|q\d_\d|bf16|f16|mxfp4_moe)(?:\s*-\s*(small|medium|large))?", text)
    if not found:
        return None
    mix = found.group(1)
    if found.group(2) and mix != "q2_k":  # "Q2_K - Medium" is plain Q2_K
        mix += SIZES[found.group(2)]
    elif mix == "q2_k" and found.group(2) == "small":
        mix = "q2_k_s"
    return {"bf16": "gguf_bf16", "f16": "gguf_f16"}.get(mix, mix)


def gguf(name, tensor_types=None, file_name=""):
    """The mix of a GGUF file. Hand-made mixes are a configuration that the vocabulary cannot say."""
    types = {kind for kind in tensor_types or () if kind != "f32"}
    if len(types) == 1:
        only = next(iter(types))
        if only in PURE:
            return PURE[only]
        raise Skip(CONFIGURATION_MISSING, f"weights {only} are not in the vocabulary")
    if re.search(r"\bUD-|THIREUS|SPECIAL|[-_]mix|REAP|_XL|_R4\b", f"{name} {file_name}", re.IGNORECASE):
        raise Skip(CONFIGURATION_MISSING, f"hand-made mix of tensor types ({name or file_name})")
    mix = gguf_mix(name)
    if mix is None:
        raise Skip(CONFIGURATION_MISSING, f"quantisation not told ({name})")
    if types and mix not in MIX_TYPES:
        raise Skip(CONFIGURATION_MISSING, f"weights {mix} are not in the vocabulary")
    if types and types - MIX_TYPES[mix] - FALLBACK:
        raise Skip(CONFIGURATION_MISSING, f"not llama-quantize's {mix}: holds {', '.join(sorted(types))}")
    if types and mix[0] == "q" and mix.endswith(("_m", "_l")) and "q6_K" not in types:
        raise Skip(CONFIGURATION_MISSING, f"not llama-quantize's {mix}: its output layer is not q6_K")
    return mix


def checkpoint(name, model=""):
    """Quantised checkpoints of PyTorch engines: 'compressed-tensors / dtype bfloat16' of '...-quantized.w8a8' and the like."""
    method, _, dtype = (name or "").partition("/")
    method = method.strip().lower()
    dtype = dtype.replace("dtype", "").replace("precision", "").replace("-true", "").strip().lower()
    dtype = {"16": "fp16", "32": "fp32", "auto": "bf16", "": "bf16"}.get(dtype, dtype)
    hints = f"{method} {model}".lower()
    if re.search(r"unsloth-bnb-4bit", hints):
        raise Skip(CONFIGURATION_MISSING, "a dynamic 4-bit checkpoint: which modules stay in 16 bit is not told")
    if re.search(r"w4a8|qqq|\bfp6\b|uintx|codebook|sparse|\bint3\b|int4hqq|int4wo-64", hints):
        raise Skip(CONFIGURATION_MISSING, f"weights {name} are not in the vocabulary")
    for pattern, weights in [
        (r"nf4 double|nf4-dq|fp4-dq|mistral.*bnb-4bit", "nf4_dq"),
        (r"nf4", "nf4"), (r"bnb\.? ?fp4|bnb fp4", "fp4"), (r"bitsandbytes", "nf4"),
        (r"nvfp4|modelopt_fp4", "nvfp4"), (r"mxfp4", "mxfp4"), (r"gptq-int8|gptq8", "gptq8"),
        (r"w4a16|int4-w4a16|-int4\b.*compressed|compressed.*-int4\b", "w4a16"), (r"awq", "awq4"), (r"gptq", "gptq4"),
        # One byte a weight and a scale a channel, experts included; `int8` is bitsandbytes, which leaves experts alone.
        (r"w8a8|smoothquant|modelslim|fp8|float8", "fp8"), (r"int8", "int8"), (r"int4", None),
    ]:
        if re.search(pattern, hints):
            if weights is None:
                raise Skip(CONFIGURATION_MISSING, f"weights {name} are not in the vocabulary")
            return f"{weights}_row" if "no group" in hints and weights.startswith("gptq") else weights
    if method in ("none", "") or method in PLAIN:
        return PLAIN.get(method) or PLAIN.get(dtype) or "bf16"
    if method in ("compressed-tensors", "fp16"):
        raise Skip(CONFIGURATION_MISSING, "compressed-tensors: scheme not told")
    raise Skip(CONFIGURATION_MISSING, f"quantisation {name!r} not understood")
