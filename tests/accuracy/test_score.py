"""The statistics and the mapping on rows small enough to check by hand, without the program."""
import importlib.machinery
import importlib.util
import json
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import baseline  # noqa: E402
import gpu_names  # noqa: E402
import inference_llama_cpp  # noqa: E402
import inference_servers  # noqa: E402
import model_names  # noqa: E402
import records  # noqa: E402
import report  # noqa: E402
import statistics_of_jobs as stats  # noqa: E402
import weight_names  # noqa: E402

loader = importlib.machinery.SourceFileLoader("score", str(HERE / "score"))
score = importlib.util.module_from_spec(importlib.util.spec_from_loader("score", loader))
loader.exec_module(score)

GIB = 2**30


def band(low, expected, high):
    return {"low": int(low * GIB), "expected": int(expected * GIB), "high": int(high * GIB)}


def item(name, group, gib, phases=("prefill",)):
    return {"id": name, "group": group, "phases": list(phases), "bytes": band(gib, gib, gib)}


# n -> allocated (low, expected, high) in GiB; every card has a margin of 1 GiB, and device is 5 GiB more than allocated.
ALLOCATED = {1: (9, 11, 12), 2: (10.5, 12, 13), 3: (7, 8, 9), 4: (7, 8, 9), 5: (4, 6, 8), 6: (1, 1, 1)}


def answer(request):
    if request.get("model") == "nobody-knows":
        return {"error": {"field": "model", "message": "not in the catalogue"}}
    if "bad" in request:
        return {"error": {"field": "bad", "message": "unknown"}}
    low, expected, high = ALLOCATED[request.get("n", 4)]
    memory = {"allocated": band(low, expected, high), "device": band(low + 5, expected + 5, high + 5)}
    card = {"margin": GIB, "memory": memory,
            "items": [item("kv_cache.k", "kv_cache", 0.25), item("kv_cache.v", "kv_cache", 0.25)]}
    return {"memory": memory, "gpus": [card] * len(request.get("gpus", [1])), "reservation": {"sequences": 44}}


class Worked(unittest.TestCase):
    """worked.jsonl, with every figure worked out by hand."""

    @classmethod
    def setUpClass(cls):
        cls.jobs, cls.rows = score.score([str(HERE / "worked" / "worked.jsonl")],
                                         lambda requests: [answer(request) for request in requests])
        cls.by_id = {row.id: row for row in cls.rows}

    def check(self, job, **figures):
        for name, value in figures.items():
            with self.subTest(job=job, figure=name):
                self.assertAlmostEqual(self.jobs[job][name], value, places=9)

    def test_allocated(self):
        # Source a: errors +0.1, +0.2, -0.2. b has one row and c two (errors 0; +0.5, +0.2): pooled, 0, +0.5, +0.2.
        # Median of |e|: a 0.2, pool 0.2. p90, nearest rank of 3: the third. Bias: a +0.1, pool +0.2.
        # In band: a 1 of 3 (10 in [9, 12]; not in [10.5, 13]; not in [7, 9]), pool 3 of 3.
        # Half-widths: a 3/22, 2.5/24, 2/16 -> 0.125; pool 2/16, 4/12, 4/12 -> 1/3.
        # False fits: a-3 reads 10 > 8 + 1; pool none. False refusals: 6 > 1.25 * 4, but not > 1.25 * 5 = 6.25.
        self.check("training-allocated", sources=2, rows=6, skipped=2, out_of_scope=0, median=0.2, p90=(0.2 + 0.5) / 2,
                   bias=0.15, coverage=(1 / 3 + 1) / 2, half_width=(0.125 + 1 / 3) / 2, false_fits=1 / 6,
                   false_refusals=1 / 6)

    def test_second_reading(self):
        # a-3 again, as nvidia-smi: 13 expected, 20 read, one card with 1 GiB margin.
        self.check("training-device", sources=1, rows=1, median=0.35, p90=0.35, bias=-0.35, coverage=0, half_width=2 / 26,
                   false_fits=1, false_refusals=0)

    def test_sequences(self):
        self.check("capacity", rows=1, median=0.1, bias=0.1, coverage=0)

    def test_sum_over_cards(self):
        # Two cards: 2 x 0.5 GiB of cache, 2 x 13 GiB of device, read 1 and 6 GiB.
        self.check("kv", rows=1, median=0, coverage=1)
        self.check("llama.cpp", rows=1, bias=(26 - 6) / 6)
        self.assertEqual(self.by_id["e-1/device"].margin, 2 * GIB)

    def test_skips_have_reasons(self):
        self.assertEqual({row.id: row.skip for row in self.rows if row.skip}, {
            "c-3": "model_unknown", "c-4": "configuration_missing", "e-2": "out_of_scope", "e-3/weights": "configuration_missing",
            "f-1": "out_of_scope", "f-2": "not_a_peak_reading"})
        text = report.report(self.jobs, self.rows)
        for row in self.rows:
            if row.skip:
                self.assertIn(row.id, text)

    def test_shape_of_json(self):
        shape = {"sources", "rows", "skipped", "out_of_scope", *stats.STATISTICS}
        for job in json.loads(json.dumps(self.jobs)).values():
            self.assertEqual(set(job), shape)


class Statistics(unittest.TestCase):
    def test_nearest_rank(self):
        self.assertEqual(stats.percentile(range(1, 11), 0.9), 9)
        self.assertEqual(stats.percentile(range(1, 12), 0.9), 10)
        self.assertEqual(stats.percentile([7], 0.9), 7)

    def test_median_of_an_even_number(self):
        self.assertEqual(stats.median([4, 1, 3, 2]), 2.5)

    def test_what_lives_in_different_phases_does_not_add_up(self):
        card = {"margin": 0, "items": [item("w", "weights", 2, ("prefill", "decode")), item("a", "activations", 1, ("prefill",)),
                                       item("b", "activations", 0.5, ("decode",)), item("k", "kv_cache", 9)]}
        reading = records.Reading("items", "first", ("weights", "activations"))
        self.assertEqual(reading.band({"gpus": [card, card]})[0]["expected"], 3 * GIB)
        alone = records.Reading("items", "first", ("weights",), ("w",), ("k",))
        self.assertEqual(alone.band({"gpus": [card]})[0]["expected"], 9 * GIB)


    def test_a_reading_taken_after_the_peak(self):
        answer_ = {"gpus": [{"margin": 7}], "memory": {"allocated": band(9, 9, 9)},
                   "phases": [{"id": "prefill", "allocated": band(9, 9, 9)}, {"id": "decode", "allocated": band(1, 2, 3)}]}
        self.assertEqual(records.Reading("allocated", phase="decode").band(answer_), (band(1, 2, 3), 7))


class Names(unittest.TestCase):
    def test_weights(self):
        for name, types, weights in [
            ("Q4_K - Medium ; file 17.28 GiB (4.86 BPW)", {"f32": 1, "q4_K": 2, "q6_K": 3}, "q4_k_m"),
            ("Q5_K - Small", None, "q5_k_s"), ("IQ4_XS - 4.25 bpw ; file 16.38 GiB", None, "iq4_xs"), ("GGUF-Q8_0", None, "q8_0"),
            ("BF16 ; file 232.769 GiB (8.505 BPW)", {"f32": 471, "q8_0": 660}, "q8_0"), ("MXFP4 MoE ; file 11.27 GiB", None, "mxfp4_moe"),
            ("Q2_K - Medium", None, "q2_k")]:
            self.assertEqual(weight_names.gguf(name, types), weights, name)
        for name, types in [("Q4_K - Medium", {"q4_K": 1, "q6_K": 1, "iq4_nl": 1, "q8_0": 1, "iq3_s": 1}), ("UD-Q4_K_XL", None),
                            ("IQ6_K - 6.6 bpw", {"iq6_k": 5}), (None, None)]:
            with self.assertRaises(records.Skip, msg=name):
                weight_names.gguf(name, types)
        for name, model, weights in [
            ("none / dtype bfloat16", "x", "bf16"), ("compressed-tensors / dtype bfloat16", "Llama-3.3-70B-Instruct-fp8-dynamic", "fp8"),
            ("compressed-tensors / dtype bfloat16", "x-quantized.w8a8", "fp8"), ("gptq_marlin / dtype float16", "x-quantized.w4a16", "w4a16"),
            ("AWQ", "x", "awq4"), ("GPTQ-Int8", "x", "gptq8"), ("modelopt_fp4 / dtype bfloat16", "x", "nvfp4"), ("FP8", "x", "fp8"),
            ("none / precision 32-true", "x", "fp32"), ("bnb.nf4-dq / precision bf16-true", "x", "nf4_dq")]:
            self.assertEqual(weight_names.checkpoint(name, model), weights, f"{name} {model}")

    def test_models(self):
        for name, known in [("meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b"), ("Qwen/Qwen2.5-7B-Instruct", "qwen2.5-7b"),
                            ("RedHatAI/Llama-3.3-70B-Instruct-fp8-dynamic", "llama-3.1-70b"), ("gemma-4-12b-it-Q8_0", "gemma-4-12b"),
                            ("DeepSeek-V3-0324-IQ4_K_R4", "deepseek-v3"), ("Qwen3-235B-A22B-UD-Q4_K_XL", "qwen3-235b-a22b")]:
            self.assertEqual(model_names.resolve(name), {"model": known}, name)
        with self.assertRaises(records.Skip):
            model_names.resolve("never-heard-of-it")

    def test_a_header_says_the_shape(self):
        arch = {"architecture": "llama", "n_embd": 64, "n_layer": 2, "n_head": 4, "n_head_kv": 2, "head_dim_k": 16, "n_ff": 128,
                "n_vocab": 1000, "params": "0.0002 B"}
        shape = model_names.resolve("a private model", arch)["architecture"]
        self.assertEqual((shape["hidden"], shape["layers"], shape["kv_heads"], shape["tied"]), (64, 2, 2, False))

    def test_cards(self):
        self.assertEqual(gpu_names.several("2× NVIDIA GeForce RTX 4090 + NVIDIA RTX A6000", 3),
                         ["geforce-rtx-4090", "geforce-rtx-4090", "rtx-a6000"])
        self.assertEqual(gpu_names.several(None, 2), [gpu_names.ANY] * 2)

    def test_placement(self):
        place = inference_llama_cpp.placement
        self.assertEqual(place({}, [], 32), "all")
        for flags in ("-ot exps=CPU -fmoe", '-ot ".ffn_.*_exps.=CPU"', "--n-cpu-moe 99", "--override-tensor exps=CPU"):
            self.assertEqual(place({"flags": flags}, [], 32), "experts", flags)
        for config in ({"flags": '-ot "blk\\.(3)\\.ffn_.*=CUDA0" -ot exps=CPU'}, {"flags": "--n-cpu-moe 9"},
                       {"override_tensor_targets": ["CPU"]}):
            with self.assertRaises(records.Skip, msg=str(config)):
                place(config, [], 32)

    def test_data_parallel_attention(self):
        config = {"tensor_parallel": 32, "data_parallel": 8, "expert_parallel": 32, "dp_attention": "True"}
        self.assertEqual(inference_servers.degrees(config, "sglang"), {
            "gpu_count": 32, "tensor_parallel": 4, "pipeline_parallel": 1, "data_parallel": 8, "expert_parallel": 32})


class Strangers(unittest.TestCase):
    """Files of the same shapes that nobody has seen."""

    def test_no_record_stops_the_run(self):
        known = json.loads((HERE / "data" / "inference.jsonl").read_text(encoding="utf-8").splitlines()[0])
        odd = [{"measured_mib": {}}, {"measured_mib": {"total": 5}, "framework": None}, {"request": {}, "measured": {}},
               {"memory_gib": "x", "measure_class": None}, {"measured_mib": None}]
        odd += [{key: value for key, value in known.items() if key != left_out} for left_out in known]
        odd += [known | {key: None} for key in known]
        odd += [known | {key: "strange"} for key in ("config", "arch", "gpu", "quantization", "tensor_types", "assumed")]
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
            file.write("\n".join(json.dumps(record) for record in odd))
            file.flush()
            jobs, rows = score.score([file.name], lambda requests: [{"error": {"field": "x"}} for _ in requests])
        self.assertTrue(rows)
        self.assertTrue(all(row.skip in records.SKIPS for row in rows))
        report.report(jobs, rows)


class Baseline(unittest.TestCase):
    BEFORE = {"median": 0.02, "p90": 0.1, "false_fits": 0.0, "coverage": 0.9, "skipped_share": 0.1}

    def worse(self, **now):
        return list(baseline.worse({"job": self.BEFORE}, {"job": self.BEFORE | now}))

    def test_only_worse_fails(self):
        self.assertEqual(self.worse(), [])
        self.assertEqual(self.worse(median=0.0204, coverage=0.97), [])
        self.assertEqual(self.worse(median=0.01, p90=0.05, skipped_share=0.0), [])
        for name, value in [("median", 0.021), ("p90", 0.2), ("false_fits", 0.1), ("skipped_share", 0.2), ("coverage", 0.85)]:
            self.assertEqual(len(self.worse(**{name: value})), 1, name)

    def test_jobs_do_not_come_or_go_unseen(self):
        self.assertEqual(len(list(baseline.worse({"job": self.BEFORE}, {}))), 1)
        self.assertEqual(len(list(baseline.worse({}, {"job": self.BEFORE}))), 1)


if __name__ == "__main__":
    unittest.main()
