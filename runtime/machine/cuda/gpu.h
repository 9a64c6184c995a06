// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists the machine's CUDA GPUs, and opens the one that kernels run on.
#pragma once

#include "runtime/machine/cuda/libcuda.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gputest::runtime::cuda {

struct GpuInfo {
  int ordinal = 0; // the driver's number, among the GPUs that CUDA_VISIBLE_DEVICES leaves
  std::string name;
  std::uint64_t memory = 0; // bytes
  int major = 0, minor = 0; // compute capability
};

// Whether that many threads run in lock step: those of a warp did before Volta.
bool keeps_in_step(const GpuInfo& gpu, unsigned threads);

// Returns the GPUs. Initialises the driver in this process, which then can no longer be forked.
// Throws NoDevice where there is no GPU, and DeviceError.
std::vector<GpuInfo> list_gpus(const Driver& driver);

// Returns "cuda:0: <name> (compute capability 9.0, 79 GiB, CUDA 13.0)", a line each.
std::string describe(const Driver& driver, const std::vector<GpuInfo>& gpus);

// Returns the GPU that `wanted` means. "gpu" and "cuda" mean the first, or the one that CTest has
// allocated. "cuda:1" and "1" are numbers. Other texts are parts of a name, in any case. Throws
// UsageError with the list of GPUs.
GpuInfo choose_gpu(const Driver& driver, const std::string& wanted);

// One GPU that this process uses.
class Gpu {
public:
  Gpu(const Driver& opened, GpuInfo chosen); // throws DeviceError
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;
  ~Gpu();

  // While an object of this class lives, this thread's calls of the driver are about the GPU.
  class InUse {
  public:
    explicit InUse(const Gpu& gpu);
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;
    ~InUse();

  private:
    const Driver& driver_;
  };

  int attribute(DeviceAttribute which) const; // throws DeviceError
  int attribute(Function function, FunctionAttribute which) const;

  Driver driver;
  GpuInfo info;

  // A word that kernels write and the host can read after a fault. It is 2 where a mutant's budget
  // was used up (templates/mutants.cuh).
  volatile std::uint32_t* told = nullptr;
  Address told_address = 0;

private:
  Context context_ = nullptr;
};

} // namespace gputest::runtime::cuda
