// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's arguments in a GPU's memory. They are made once, for any number of launches.
#pragma once

#include "runtime/cases/argument.h"
#include "runtime/machine/cuda/gpu.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gputest::runtime::cuda {

// A guard zone lies in front of each buffer and behind it (runtime/cases/guard_zone.h).
class ArgumentMemory {
public:
  // Makes the buffers and copies the arguments' content to them. `kernel` is its name, for
  // messages. `arguments` must outlive this object. Throws OutOfMemory, DeviceError.
  ArgumentMemory(const Gpu& gpu, const std::vector<LaunchArgument>& arguments, std::string kernel);
  ArgumentMemory(const ArgumentMemory&) = delete;
  ArgumentMemory& operator=(const ArgumentMemory&) = delete;
  ~ArgumentMemory();

  // Returns what cuLaunchKernel() takes: a pointer to each argument.
  std::vector<void*> pointers() const;

  bool is_buffer(std::size_t position) const { return addresses_[position] != 0; }

  // For the buffer at `position`. restore() writes its argument's content and the guard zones.
  // read() copies what it holds. overrun() returns what was written outside of it, "kernel 'x'
  // wrote 3 bytes past the end of 'out' …"; empty: nothing. All throw DeviceError.
  void restore(std::size_t position) const;
  void read(std::size_t position, std::span<std::byte> bytes) const;
  std::string overrun(std::size_t position) const;

private:
  void free() const;
  void write(Address address, std::span<const std::byte> bytes, std::size_t position) const;
  void read(Address address, std::span<std::byte> bytes, std::size_t position) const;
  std::string what(std::size_t position) const;

  const Gpu& gpu_;
  const std::vector<LaunchArgument>& arguments_;
  std::string kernel_;
  std::vector<Address> addresses_; // by position, of the content; 0: no buffer, or a null pointer
  Bytes zone_;
};

} // namespace gputest::runtime::cuda
