// The memory objects of a kernel's arguments: made once, used by any number of launches.
#pragma once

#include "runtime/machine/opencl/launch.h"

#include <span>
#include <string>
#include <vector>

namespace gputest::runtime {

// Behind each buffer lies a guard zone (runtime/cases/guard_zone.h).
class KernelMemory {
public:
  // Makes the objects and gives them the arguments' content. `kernel` is its name, for messages.
  // Throws DeviceError.
  KernelMemory(const Context& context, const std::vector<LaunchArgument>& arguments,
               const std::string& kernel);

  // Sets every argument of `kernel`; `arguments` are those given to the constructor.
  void set_arguments(cl::Kernel& kernel, const std::vector<LaunchArgument>& arguments) const;

  // Write or read the whole content of the buffer or image at `position`, or the guard zone behind
  // a buffer. Enqueued and not waited for: `bytes` must live until the queue has finished. Throw
  // cl::Error.
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

// What of a launch is more than the device says that it can: "it needs 81920 bytes of local memory
// ('s': 65536), <device> says that it has 49152"; empty: nothing. Devices run some of these
// nevertheless, so only trying tells. `arguments_set`: of `kernel`, which count then.
std::string beyond_limits(const Context& context, const cl::Kernel& kernel, const Launch& launch,
                          const std::vector<LaunchArgument>& arguments, bool arguments_set);

// An error of such a launch, with what it may be due to.
DeviceError launch_error(const cl::Error& error, const std::string& kernel,
                         const std::string& beyond_limits);

// Throws DeviceError for a last work-group that is not full, where the device has no such.
void check_remainder(const Context& context, const Launch& launch, const std::string& kernel);

} // namespace gputest::runtime
