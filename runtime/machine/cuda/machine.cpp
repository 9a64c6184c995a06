// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/cuda/machine.h"

#include "model/files.h"
#include "runtime/machine/cuda/compiler.h"
#include "runtime/machine/cuda/gpu.h"
#include "runtime/machine/cuda/kernel.h"
#include "runtime/machine/cuda/repeated_case.h"

#include <cstdlib>
#include <fmt/format.h>
#include <optional>

namespace gputest::runtime {
namespace {

using namespace cuda;

// Returns "580.159.04", where the system tells it.
std::string version_of_module() {
  std::string version = model::read_text("/sys/module/nvidia/version").value_or("");
  while (!version.empty() && version.back() == '\n')
    version.pop_back();
  return version;
}

class CudaMachine : public Machine {
public:
  explicit CudaMachine(const std::string& wanted)
      : driver_(), gpu_(std::make_shared<Gpu>(driver_, choose_gpu(driver_, wanted))) {}

  std::string name() const override { return gpu_->info.name; }
  MachineIdentity identity() const override {
    if (!identity_) {
      int version = 0;
      driver_.check(driver_.driver_version(&version), "cuDriverGetVersion");
      const std::string module = version_of_module();
      identity_ = MachineIdentity{
          .name = name(),
          .version = fmt::format("compute capability {}.{}", gpu_->info.major, gpu_->info.minor),
          .driver = fmt::format("CUDA {}.{}{}{}", version / 1000, version % 1000 / 10,
                                module.empty() ? "" : ", ", module),
          .platform = "nvcc " + compiler_.version()};
    }
    return *identity_;
  }
  bool is_cpu() const override { return false; }
  bool keeps_in_step(unsigned threads) const override {
    return cuda::keeps_in_step(gpu_->info, threads);
  }
  std::size_t largest_group() const override {
    return static_cast<std::size_t>(gpu_->attribute(kThreadsOfBlock));
  }
  std::uint64_t largest_buffer() const override { return gpu_->info.memory; }

  std::unique_ptr<BuiltKernel> build(const std::string& text, const BuildSettings& settings,
                                     const std::string& kernel,
                                     const std::string& source) override {
    const DeviceCode code = compiler_.compile(
        text, settings, kernel, source,
        {.gpu = gpu_->info.name, .major = gpu_->info.major, .minor = gpu_->info.minor});
    return std::make_unique<Kernel>(gpu_, code, kernel);
  }
  std::unique_ptr<RepeatedCase> repeat(BoundCase test_case, const std::string& kernel,
                                       const std::vector<std::size_t>& outputs,
                                       std::size_t state_bytes) override {
    return cuda::repeat(gpu_, std::move(test_case), kernel, outputs, state_bytes);
  }

private:
  Compiler compiler_; // first, so that a machine without a compiler leaves the GPU alone
  Driver driver_;
  std::shared_ptr<const Gpu> gpu_;
  mutable std::optional<MachineIdentity> identity_;
};

// Lists the GPUs. If they cannot be used, the text says why, and other kinds are still listed.
std::string list(const MachineRequest&) {
  try {
    const Driver driver;
    return describe(driver, list_gpus(driver));
  } catch (const NoDevice&) {
    throw;
  } catch (const DeviceError& error) {
    return fmt::format("cuda: cannot be used: {}\n", error.what());
  }
}

} // namespace

MachineKind cuda_kind() {
  return {.name = "cuda",
          .opencl = false,
          .cuda = true,
          .open = [](const MachineRequest& request) -> std::unique_ptr<Machine> {
            const char* const environment = std::getenv("GPUTEST_DEVICE");
            return std::make_unique<CudaMachine>(
                request.device.empty() && environment ? environment : request.device);
          },
          .list = list};
}

} // namespace gputest::runtime
