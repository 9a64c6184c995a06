// One launch of one kernel: memory objects, guard zones, arguments, NDRange, read-back.
#pragma once

#include "gputest/launch.h"
#include "gputest/reference.h"
#include "runtime/bytes.h"
#include "runtime/image_format.h"
#include "runtime/program.h"
#include "runtime/simulation.h"

#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

struct LaunchArgument {
  enum class Kind { Value, Buffer, Local, Image, Sampler };

  std::string name;
  Kind kind = Kind::Value;
  Bytes bytes; // Value, Buffer, Image: the content before and, if read_back, after the launch
  std::size_t element_size = 1; // Buffer: for messages
  std::size_t local_size = 0;   // Local: bytes
  bool read_back = false;       // Buffer, Image
  bool writable = true;         // Image, Buffer: the kernel may write it
  bool is_null = false;         // Buffer: a null pointer; the simulator alone knows these
  std::optional<ImageLayout> image;
  SamplerView sampler;
};

struct LaunchOutcome {
  double seconds = 0; // from enqueueing to the end, on the host's clock
  // "kernel 'x' wrote 3 bytes past the end of 'out' (64 elements), …", one for each buffer overrun.
  std::vector<std::string> out_of_bounds;
  std::vector<SimulatorFinding> findings{}; // of the simulator
};

// Launches `kernel` (no arguments set yet: devices count those of before) with `arguments` in order
// of position and waits for it. A non-empty `state` becomes one more, trailing buffer argument and
// is read back.
//
// Behind each buffer lies a guard zone filled with a pattern, which tells when a kernel writes up
// to kGuardBytes past a buffer's end.
//
// Throws UsageError where the NDRange fits no device (global size 0, not a multiple of the local
// size) and DeviceError where this device cannot do it or a call fails.
constexpr std::size_t kGuardBytes = 4096;
LaunchOutcome launch_kernel(const Context& context, const cl::Kernel& kernel, const Launch& launch,
                            std::vector<LaunchArgument>& arguments, Bytes& state);

// What a mutants variant is told of the arguments: runtime/mutation_state.h.
std::vector<std::uint64_t> argument_sizes(const std::vector<LaunchArgument>& arguments);

// Throws UsageError for an NDRange that cannot be launched: a size of 0, or a global size that is
// no multiple of the local size, unless `allow_remainder`.
void check_ndrange(const Launch& launch, bool allow_remainder, const std::string& what);

} // namespace gputest::runtime
