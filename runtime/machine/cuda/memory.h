// The arguments of a kernel in a GPU's memory: made once, used by any number of launches.
#pragma once

#include "runtime/cases/argument.h"
#include "runtime/machine/cuda/gpu.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gputest::runtime::cuda {

// Behind each buffer lies a guard zone (runtime/cases/guard_zone.h).
class ArgumentMemory {
public:
  // Makes the buffers and gives them the arguments' content. `kernel` is its name, for messages.
  // `arguments` live as long. Throws OutOfMemory, DeviceError.
  ArgumentMemory(const Gpu& gpu, const std::vector<LaunchArgument>& arguments, std::string kernel);
  ArgumentMemory(const ArgumentMemory&) = delete;
  ArgumentMemory& operator=(const ArgumentMemory&) = delete;
  ~ArgumentMemory();

  // What cuLaunchKernel() is given.
  std::vector<void*> pointers() const;

  // The content of the buffer at `position`, from its begin on, and the guard zone behind it. Throw
  // DeviceError.
  void write(std::size_t position, std::span<const std::byte> bytes) const;
  void read(std::size_t position, std::span<std::byte> bytes) const;
  void read_guard_zone(std::size_t position, std::span<std::byte> zone) const; // kGuardBytes

private:
  std::string what(std::size_t position) const;

  const Gpu& gpu_;
  const std::vector<LaunchArgument>& arguments_;
  std::string kernel_;
  std::vector<Address> addresses_; // by position; 0: no buffer, or none is given
};

} // namespace gputest::runtime::cuda
