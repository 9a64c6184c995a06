// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An argument of a launch: a value, a buffer, local memory, an image or a sampler.
#pragma once

#include "gputest/launch.h"
#include "gputest/reference.h"
#include "model/launches/sizes.h"
#include "model/type.h"
#include "runtime/cases/bytes.h"
#include "runtime/cases/image_layout.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

struct ByteRange { // of a buffer
  std::uint64_t begin = 0, size = 0;
};

struct LaunchArgument {
  using Kind = model::ArgumentKind;

  std::string name;
  Kind kind = Kind::Value;
  Bytes bytes; // Value, Buffer, Image: the content before and, if read_back, after the launch
  std::size_t element_size = 1; // Buffer: for messages
  std::size_t local_size = 0;   // Local: bytes
  bool read_back = false;       // Buffer, Image
  bool writable = true;         // Buffer, Image: the kernel may write it
  bool is_null = false;         // Buffer: a null pointer; then it has no bytes
  bool read_only = false;  // Buffer: the host made it CL_MEM_READ_ONLY; the simulator checks that
  bool write_only = false; // Buffer: the host made it CL_MEM_WRITE_ONLY; the simulator checks that
  // Buffer: what neither the host nor a kernel has written; the simulator checks its uses.
  std::vector<ByteRange> unwritten{};
  // Buffer: a pipe of the layer's: behind its packets, words of 8 bytes count those read and
  // written. Only the simulator has such.
  bool keeps_packets = false;
  std::optional<ImageLayout> image;
  SamplerView sampler;

  // Whether a kernel gets memory that the host can read: a buffer that is not null, or an image.
  bool has_memory() const { return (kind == Kind::Buffer && !is_null) || kind == Kind::Image; }
};

// Returns the size in bytes of each buffer and local memory, by position, and 0 for all other
// arguments. The state of a mutants variant holds these (runtime/variants/mutation_state.h).
std::vector<std::uint64_t> argument_sizes(const std::vector<LaunchArgument>& arguments);

bool has_local_size(const Launch& launch);

// Returns the launch's local size. Without one: the largest width up to 64 that divides the global
// size. The simulator and CUDA GPUs use this, the same every time, while OpenCL devices choose for
// themselves.
std::array<std::size_t, 3> chosen_block(const Launch& launch);

// The sizes of a launch in the form of the stages, and in that of users.
model::Sizes sizes_of(const Launch& launch);
Launch launch_of(const model::Sizes& sizes);

// Throws UsageError for an NDRange that cannot be launched: a size of 0, or a global size that is
// no multiple of the local size, unless `allow_remainder`.
void check_ndrange(const Launch& launch, bool allow_remainder, const std::string& what);

} // namespace gputest::runtime
