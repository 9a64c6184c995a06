// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory objects of a kernel's arguments. They are made once, for any number of launches.
#pragma once

#include "runtime/machine/opencl/launch.h"

#include <span>
#include <string>
#include <vector>

namespace gputest::runtime {

// A guard zone lies behind each buffer (runtime/cases/guard_zone.h).
class KernelMemory {
public:
  // Makes the objects and copies the arguments' content to them. `kernel` is its name, for
  // messages. Throws DeviceError.
  KernelMemory(const Context& context, const std::vector<LaunchArgument>& arguments,
               const std::string& kernel);

  // Sets every argument of `kernel`; `arguments` are those given to the constructor.
  void set_arguments(cl::Kernel& kernel, const std::vector<LaunchArgument>& arguments) const;

  // Write or read the whole content of the buffer or image at `position`, or the guard zone behind
  // a buffer. They enqueue the work and do not wait: `bytes` must live until the queue has
  // finished. Throw cl::Error.
  void write(std::size_t position, std::span<const std::byte> bytes) const;
  void read(std::size_t position, std::span<std::byte> bytes) const;
  void read_guard_zone(std::size_t position, std::span<std::byte> zone) const; // kGuardBytes

private:
  const Context& context_;
  std::string kernel_;
  std::vector<cl::Buffer> buffers_; // by position; also the storage of buffer images
  std::vector<cl::Image2D> images_; // by position, of any type: cl::Image itself cannot be made
  std::vector<cl::Sampler> samplers_;
  std::vector<std::array<std::size_t, 3>> regions_; // by position: of images that are no buffers
  std::vector<std::size_t> sizes_;                  // by position: bytes of content
};

cl::NDRange nd_range(const std::array<std::size_t, 3>& sizes, unsigned dimensions);

// Returns what in a launch exceeds the limits that the device reports: "it needs 81920 bytes of
// local memory ('s': 65536), <device> says that it has 49152"; empty: nothing. Devices run some of
// these launches nevertheless, so only trying tells. `arguments_set`: the arguments of `kernel` are
// set, and count.
std::string beyond_limits(const Context& context, const cl::Kernel& kernel, const Launch& launch,
                          const std::vector<LaunchArgument>& arguments, bool arguments_set);

// Returns the error of a launch, with the limits that may have caused it.
DeviceError launch_error(const cl::Error& error, const std::string& kernel,
                         const std::string& beyond_limits);

// Throws DeviceError where the last work-group is not full, and the device does not allow that, and
// for lock step that it does not promise.
void check_launch(const Context& context, const Launch& launch, const std::string& kernel);

} // namespace gputest::runtime
