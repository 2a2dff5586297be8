// One log of each kind, in the words of the engines' sources.
#pragma once

#include <string_view>

namespace vram::testing {

inline constexpr std::string_view kLlamaLog =
    "build: 5600 (abcdef12) with cc (Debian 12.2.0) 12.2.0 for x86_64-linux-gnu\n"
    "print_info: file type   = Q4_K - Medium\n"
    "print_info: file size   = 4.58 GiB (4.89 BPW)\n"
    "print_info: n_ctx_train      = 131072\n"
    "print_info: general.name     = Meta Llama 3.1 8B Instruct\n"
    "load_tensors: offloading 32 repeating layers to GPU\n"
    "load_tensors: offloaded 33/33 layers to GPU\n"
    "load_tensors:        CUDA0 model buffer size =  4403.49 MiB\n"
    "load_tensors:   CPU_Mapped model buffer size =   281.81 MiB\n"
    "llama_context: n_seq_max     = 1\n"
    "llama_context: n_ctx         = 8192\n"
    "llama_context: n_ctx_per_seq = 8192\n"
    "llama_context: n_batch       = 2048\n"
    "llama_context: n_ubatch      = 512\n"
    "llama_context: flash_attn    = 1\n"
    "llama_context:  CUDA_Host  output buffer size =     0.49 MiB\n"
    "llama_kv_cache_unified:      CUDA0 KV buffer size =   544.00 MiB\n"
    "llama_kv_cache_unified: size =  544.00 MiB (  8192 cells,  32 layers,  1 seqs), K (q8_0):  272.00 MiB, V (q8_0):  "
    "272.00 MiB\n"
    "llama_context:      CUDA0 compute buffer size =   258.50 MiB\n"
    "llama_context:  CUDA_Host compute buffer size =    24.01 MiB\n";

inline constexpr std::string_view kVllmLog =
    "INFO 08-01 10:00:00 [core.py:71] Initializing a V1 LLM engine (v0.10.0) with config: "
    "model='meta-llama/Llama-3.1-8B-Instruct', speculative_config=None, dtype=torch.bfloat16, max_seq_len=8192, "
    "tensor_parallel_size=1, quantization=None, kv_cache_dtype=auto, seed=0\n"
    "INFO 08-01 10:00:30 [gpu_model_runner.py:1875] Model loading took 14.9889 GiB and 3.2 seconds\n"
    "INFO 08-01 10:00:50 [gpu_worker.py:255] Available KV cache memory: 55.51 GiB\n"
    "INFO 08-01 10:00:50 [kv_cache_utils.py:833] GPU KV cache size: 454,736 tokens\n"
    "INFO 08-01 10:01:10 [gpu_model_runner.py:2485] Graph capturing finished in 20 secs, took 0.51 GiB\n";

inline constexpr std::string_view kSglangLog =
    "[2025-08-01 10:00:00] server_args=ServerArgs(model_path='meta-llama/Llama-3.1-8B-Instruct', "
    "mem_fraction_static=0.88, tp_size=1, dtype='auto')\n"
    "[2025-08-01 10:00:30] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.72 GB, mem "
    "usage=15.05 GB.\n"
    "[2025-08-01 10:00:31] KV Cache is allocated. #tokens: 407131, K size: 24.85 GB, V size: 24.85 GB\n"
    "[2025-08-01 10:00:40] Capture cuda graph end. Time elapsed: 6.01 s. mem usage=0.65 GB. avail mem=12.90 GB.\n"
    "[2025-08-01 10:00:41] max_total_num_tokens=407131, chunked_prefill_size=8192, max_prefill_tokens=16384, "
    "max_running_requests=2048, context_len=131072\n";

inline constexpr std::string_view kOutOfMemory =
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB. GPU 0 has a total capacity of 23.68 GiB "
    "of "
    "which 1.20 GiB is free. Including non-PyTorch memory, this process has 22.46 GiB memory in use. Of the allocated "
    "memory 20.34 GiB is allocated by PyTorch, and 1.78 GiB is reserved by PyTorch but unallocated.\n";

inline constexpr std::string_view kMemorySummary =
    "|===========================================================================|\n"
    "|                  PyTorch CUDA memory summary, device ID 0                 |\n"
    "|---------------------------------------------------------------------------|\n"
    "|        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |\n"
    "|---------------------------------------------------------------------------|\n"
    "| Allocated memory      |  15024 MiB |  20345 MiB |    910 GiB |    895 GiB |\n"
    "|       from large pool |  15000 MiB |  20300 MiB |    900 GiB |    885 GiB |\n"
    "| GPU reserved memory   |  22108 MiB |  22108 MiB |  22108 MiB |      0 B   |\n";

inline constexpr std::string_view kNvidiaSmi =
    "| NVIDIA-SMI 550.54.15              Driver Version: 550.54.15      CUDA Version: 12.4     |\n"
    "|   0  NVIDIA GeForce RTX 4090        Off |   00000000:01:00.0 Off |                  Off |\n"
    "| 30%   45C    P2             100W /  450W |   22834MiB /  24564MiB |     98%      Default |\n"
    "| Processes:                                                                              |\n"
    "|    0   N/A  N/A      1234      G   /usr/lib/xorg/Xorg                            300MiB |\n"
    "|    0   N/A  N/A      5678      C   python3                                     22450MiB |\n";

inline constexpr std::string_view kOllama =
    "NAME           ID              SIZE      PROCESSOR    CONTEXT    UNTIL\n"
    "llama3.1:8b    46e0c10c039e    6.7 GB    100% GPU     8192       4 minutes from now\n";

}  // namespace vram::testing
