"""vision.jsonl: collected records of computer vision and diffusion.

A record becomes a request in three steps that stand apart, so that each can grow on its own: `scope` (is it a run that
anybody can choose), `reading` (what kind of number it is), `request` (the engine, the model, the settings). A model that
MODELS does not name, or that the catalogue lacks, skips the row.
"""
import re

import gpu_names
import model_names
from records import CONFIGURATION_MISSING, GIB, MODEL_UNKNOWN, NOT_A_PEAK_READING, OUT_OF_SCOPE, Reading, Skip, row

LEVELS = {"torch-allocated-peak": "allocated", "torch-allocated-peak (inferred)": "allocated",
          "torch-reserved-peak": "reserved", "process": "device"}

# Engines that nobody can choose, and tasks that are not covered.
OUT = (
    ("framework", r"Caffe2|DensePose|OneDiff|stylegan|mmdet3d|MMDetection3D|ColossalAI"),
    ("task", r"^(gan-train|dense-pose|3d-.*)$"),
    ("source_group", r"StyleGAN|DensePose|Caffe2|3D perception|mmdetection3d"),
)

# The first pattern that matches the framework counts.
ENGINES = (
    (r"SimpleTuner", "simpletuner"), (r"MMDetection", "mmdetection"), (r"MMSegmentation", "mmsegmentation"),
    (r"MMAction2", "mmaction2"), (r"MMYOLO", "mmyolo"), (r"MMRotate", "mmrotate"), (r"MMTracking", "mmtracking"),
    (r"Detectron2", "detectron2"), (r"YOLOv\d|ultralytics", "ultralytics"), (r"cogvideox-factory", "cogvideox-factory"),
    (r"finetrainers", "finetrainers"), (r"diffusers", "diffusers"), (r"torchvision", "torchvision"), (r"PyTorch", "pytorch"),
)

# Names of records (a whole match, ignoring case) -> ids of the catalogue; names that the catalogue knows need no entry.
MODELS = (
    (r"ViT-H/14 \(timm vit_huge_patch14_224.*\)", "vit_huge_patch14_224"),
)

PRECISIONS = {"fp32": "fp32", "amp-fp16": "amp_fp16", "amp-bf16": "amp_bf16", "bf16": "bf16", "fp16": "fp16",
              "bf16 (weights, gradients and optimizer states)": "bf16"}
# The first pattern that matches the optimiser counts.
OPTIMIZERS = ((r"8-?bit", "adamw_8bit"), (r"AdamW", "adamw"), (r"Adam\b", "adamw"), (r"SGD.*momentum", "sgd_momentum"), (r"SGD", "sgd"),
              (r"Lion", "lion"), (r"Adafactor", "adafactor"))


def job(record):
    task, phase = str(record.get("task") or ""), str(record.get("phase") or "")
    kind = "diffusion" if task.startswith("diffusion") else "vision"
    return f"{kind}-{'inference' if phase.startswith('infer') or 'infer' in task else 'training'}"


def scope(record):
    for key, pattern in OUT:
        if re.search(pattern, str(record.get(key) or ""), re.IGNORECASE):
            raise Skip(OUT_OF_SCOPE, f"{record.get('framework')}: {record.get('task')}")


def reading(record):
    measure = record.get("measure_class")
    if measure not in LEVELS:
        raise Skip(NOT_A_PEAK_READING, f"{measure}")
    return Reading(LEVELS[measure])


def model(record):
    name = str(record.get("model") or "")
    for pattern, known in MODELS:
        if re.fullmatch(pattern, name, re.IGNORECASE):
            return {"model": known}
    found = model_names.find(name)
    if found.get("kind") in ("vision", "diffusion"):
        return {"model": found["id"]}
    raise Skip(MODEL_UNKNOWN, name)


def training(record):
    """Settings of a training step; what the vocabulary cannot say skips the row."""
    precision = PRECISIONS.get(record.get("precision"))
    if precision is None:
        raise Skip(CONFIGURATION_MISSING, f"precision {record.get('precision')}")
    optimizer = next((known for pattern, known in OPTIMIZERS if re.search(pattern, str(record.get("optimizer")), re.IGNORECASE)), None)
    if optimizer is None or re.search(r"4-?bit|offload|CPU", str(record.get("optimizer")), re.IGNORECASE):
        raise Skip(CONFIGURATION_MISSING, f"optimiser {record.get('optimizer')}")
    request = {"task": "full", "precision": precision, "optimizer": optimizer,
               "checkpointing": "full" if record.get("gradient_checkpointing") else "none"}
    if "compile" in str(record.get("framework")):
        request["compile"] = True
    return request


def running(record):
    precision = record.get("precision")
    if precision not in ("fp32", "fp16", "bf16"):
        raise Skip(CONFIGURATION_MISSING, f"precision {precision}")
    return {"task": "inference", "weights": precision}


def request(record):
    framework = str(record.get("framework") or "")
    engine = next((known for pattern, known in ENGINES if re.search(pattern, framework, re.IGNORECASE)), None)
    result = model(record)
    if engine is None:
        raise Skip(CONFIGURATION_MISSING, f"no rules for {framework}")
    result |= {"framework": engine, "batch": int(record.get("batch_per_gpu") or 1)}
    result |= running(record) if job(record).endswith("inference") else training(record)
    size = record.get("resolution") or {}
    if not size.get("h") or not size.get("w"):
        raise Skip(CONFIGURATION_MISSING, "image size not told")
    result |= {"image_height": int(size["h"]), "image_width": int(size["w"])}
    if size.get("frames"):
        result["frames"] = int(size["frames"])
    if record.get("num_classes"):
        result["classes"] = int(record["num_classes"])
    card = gpu_names.one(record.get("gpu"))
    if card:
        result["gpu"] = card
    # Data parallelism does not change the memory of a card; how many there were is left out.
    return result


def make(record):
    scope(record)
    read = reading(record)
    return request(record), record["memory_gib"] * GIB, read


def rows(record):
    yield row(record, job(record), lambda: make(record))
