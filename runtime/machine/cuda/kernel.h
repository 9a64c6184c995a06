// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of a CUDA file that is loaded into a GPU.
#pragma once

#include "runtime/machine/cuda/compiler.h"
#include "runtime/machine/cuda/gpu.h"
#include "runtime/machine/cuda/memory.h"
#include "runtime/machine/machine.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gputest::runtime::cuda {

class Kernel : public BuiltKernel {
public:
  // Loads the code. `name` is the user's name of the kernel. Throws DeviceError.
  Kernel(std::shared_ptr<const Gpu> gpu, const DeviceCode& code, std::string name);
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  ~Kernel() override;

  LaunchOutcome launch(const Launch& launch, std::vector<LaunchArgument>& arguments,
                       Bytes& state) override;
  std::string beyond_limits(const Launch& launch,
                            const std::vector<LaunchArgument>& arguments) const override;
  Signature signature() const override;

  // The steps of a launch, which need a Gpu::InUse. Each throws DeviceError, and KernelFault where
  // an earlier launch has ended in a fault.

  // Throws UsageError where the kernel takes other arguments.
  void check_arguments(const std::vector<LaunchArgument>& arguments) const;
  // Write and read the state variable of instrumented code: its first bytes, as far as `state` and
  // the variable go.
  void write_state(std::span<const std::byte> state) const;
  void read_state(std::span<std::byte> state) const;
  // Launches the kernel and does not wait. The device's variables first get the values that they
  // have in the source. Throws LaunchRefused.
  void start(const Launch& launch, const ArgumentMemory& memory,
             const std::vector<LaunchArgument>& arguments);
  void wait() const;

private:
  struct Parameter {
    std::size_t size;
    bool pointer;
  };
  struct Variable {
    Address address;
    Bytes initial;
  };
  struct Place {
    Address address = 0; // 0: there is no such variable
    std::size_t size = 0;
  };

  Place place_of(const char* variable) const;
  void read_parameters();
  void expect(Result result, const char* call) const;

  std::shared_ptr<const Gpu> gpu_;
  std::string name_;
  Module module_ = nullptr;
  Function function_ = nullptr;
  std::vector<Parameter> parameters_;
  std::vector<Variable> variables_;
  Place state_;
  std::size_t allowed_ = 0; // bytes of dynamic __shared__ memory that the driver was asked to allow
};

} // namespace gputest::runtime::cuda
