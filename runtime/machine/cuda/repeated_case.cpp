// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/cuda/repeated_case.h"

#include "runtime/machine/cuda/kernel.h"

#include <algorithm>
#include <utility>

namespace gputest::runtime::cuda {
namespace {

// Returns the kernel as the class that machines of this kind build.
Kernel& built_here(BuiltKernel& kernel) {
  auto* const built = dynamic_cast<Kernel*>(&kernel);
  if (!built)
    throw DeviceError("the kernel was built for a machine of another kind");
  return *built;
}

class GpuCase : public RepeatedCase {
public:
  GpuCase(std::shared_ptr<const Gpu> gpu, BoundCase test_case, std::string kernel,
          const std::vector<std::size_t>& outputs, std::size_t state_bytes)
      : gpu_(std::move(gpu)), case_(std::move(test_case)),
        memory_(*gpu_, case_.arguments, std::move(kernel)), contents_(outputs.size()),
        state_(state_bytes) {
    for (std::size_t i = 0; i < case_.arguments.size(); ++i) {
      const LaunchArgument& argument = case_.arguments[i];
      const auto output = std::ranges::find(outputs, i);
      const bool is_output = output != outputs.end();
      if (!memory_.is_buffer(i) || (!is_output && !argument.writable))
        continue;
      written_.push_back({i, std::nullopt});
      if (is_output) {
        written_.back().output = static_cast<std::size_t>(output - outputs.begin());
        contents_[*written_.back().output].resize(argument.bytes.size());
      }
    }
  }

  const BoundCase& test_case() const override { return case_; }
  std::unique_ptr<PreparedKernel> prepare(BuiltKernel& kernel, bool with_state) override {
    Kernel& built = built_here(kernel);
    built.check_arguments(case_.arguments);
    return std::make_unique<PreparedIn<GpuCase, Kernel>>(*this, built, with_state);
  }
  // Keeps the bytes until a launch, because every kernel has its own variable for the state.
  void write_state(std::size_t at, std::span<const std::byte> bytes) override {
    std::ranges::copy(bytes, state_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  std::span<const std::byte> content(std::size_t output) const override {
    return contents_[output];
  }
  std::string overrun() const override { return overrun_; }

  // Called by a prepared kernel.
  void run(Kernel& kernel, std::span<const Launch> launches, std::span<std::byte> state,
           const std::function<bool()>& is_over) {
    const Gpu::InUse in_use(*gpu_);
    for (const Written& written : written_)
      memory_.restore(written.position);
    if (!state.empty()) {
      std::ranges::copy(state, state_.begin());
      kernel.write_state(state_);
    }
    std::size_t launched = 0;
    for (const Launch& launch : launches) {
      kernel.start(launch, memory_, case_.arguments);
      if (++launched % kAskEvery != 0 || !is_over || state.empty())
        continue;
      kernel.wait();
      kernel.read_state(state);
      if (is_over())
        break;
    }
    kernel.wait();
    kernel.read_state(state);
    overrun_.clear();
    for (const Written& written : written_) {
      if (overrun_.empty())
        overrun_ = memory_.overrun(written.position);
      if (written.output)
        memory_.read(written.position, contents_[*written.output]);
    }
  }

private:
  struct Written {
    std::size_t position;
    std::optional<std::size_t> output; // index
  };

  std::shared_ptr<const Gpu> gpu_;
  BoundCase case_;
  ArgumentMemory memory_;
  std::vector<Written> written_;
  std::vector<Bytes> contents_; // by output, after the latest run
  std::string overrun_;         // after the latest run
  Bytes state_;
};

} // namespace

std::unique_ptr<RepeatedCase> repeat(std::shared_ptr<const Gpu> gpu, BoundCase test_case,
                                     const std::string& kernel,
                                     const std::vector<std::size_t>& outputs,
                                     std::size_t state_bytes) {
  return std::make_unique<GpuCase>(std::move(gpu), std::move(test_case), kernel, outputs,
                                   state_bytes);
}

} // namespace gputest::runtime::cuda
