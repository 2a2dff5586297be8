"""inference.jsonl: collected records of running models, by engine."""
import inference_llama_cpp
import inference_other
import inference_servers
import inference_transformers
from records import CONFIGURATION_MISSING, OUT_OF_SCOPE, Row

# The first pattern that the name of the framework begins with counts.
ENGINES = [
    ("ik_llama.cpp", inference_llama_cpp), ("llama.cpp", inference_llama_cpp), ("ollama", inference_llama_cpp),
    ("llamafile", inference_llama_cpp), ("lm studio", inference_llama_cpp),
    ("vllm", inference_servers), ("sglang", inference_servers), ("tensorrt-llm", inference_servers),
    ("transformers + torchao", inference_other), ("transformers", inference_transformers),
    ("torchao", inference_other), ("exllama", inference_other), ("autoawq", inference_other), ("gptq", inference_other),
    ("litgpt", inference_other),
]
# Nobody can choose these: measurements of a bare context or of NCCL, a book's own code, servers without rules.
NO_ENGINE = ("cuda runtime", "plain pytorch", "not stated", "lmdeploy")


def rows(record):
    name = str(record.get("framework") or "not stated").lower()
    if record.get("workload") == "overhead" or name.startswith(NO_ENGINE):
        yield Row(record["id"], record["source_group"], "other-inference", skip=OUT_OF_SCOPE,
                  note=f"{record.get('framework')}: no engine that can be chosen")
        return
    for prefix, engine in ENGINES:
        if name.startswith(prefix):
            made = list(engine.rows(record))
            break
    else:
        made = [Row(record["id"], record["source_group"], "other-inference", skip=OUT_OF_SCOPE,
                    note=f"{record.get('framework')}: no engine that can be chosen")]
    if not made:
        made = [Row(record["id"], record["source_group"], "other-inference", skip=CONFIGURATION_MISSING,
                    note="no reading that is scored: " + ", ".join(sorted(record["measured_mib"])))]
    yield from made
