// The GPUs of the machine, and the one that kernels run on.
#pragma once

#include "runtime/machine/cuda/driver.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gputest::runtime::cuda {

struct GpuInfo {
  int ordinal = 0; // as the driver counts, of those that CUDA_VISIBLE_DEVICES leaves
  std::string name;
  std::uint64_t memory = 0; // bytes
  int major = 0, minor = 0; // compute capability
};

// Begins the driver's work in this process, which then cannot be forked any more. Throws NoDevice
// where there is no GPU, DeviceError.
std::vector<GpuInfo> list_gpus(const Driver& driver);

// "cuda:0: <name> (compute capability 9.0, 79 GiB, CUDA 13.0)", a line each.
std::string describe(const Driver& driver, const std::vector<GpuInfo>& gpus);

// "gpu" or "cuda": the first, or the one that CTest has allocated; "cuda:1" and "1"; or a part of a
// name, in any case. Throws UsageError with the list of GPUs.
GpuInfo choose_gpu(const Driver& driver, const std::string& wanted);

// One GPU, in use by this process.
class Gpu {
public:
  Gpu(const Driver& opened, GpuInfo chosen); // throws DeviceError
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;
  ~Gpu();

  // This thread's calls are about the GPU as long as one lives.
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

  // A word that kernels can reach and the host can read after a fault: 2 where a mutant's budget
  // was used up (templates/mutants.cuh).
  volatile std::uint32_t* told = nullptr;
  Address told_address = 0;

private:
  Context context_ = nullptr;
};

} // namespace gputest::runtime::cuda
