// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes the arguments of a launch in the terms of test cases and of the runtime's own launches.
#pragma once

#include "layer/opencl/implementation.h"
#include "layer/opencl/kernel_settings.h"
#include "layer/opencl/pipe_memory.h"
#include "layer/opencl/svm_memory.h"
#include "model/interface.h"
#include "model/type.h"
#include "runtime/cases/argument.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gputest::layer {

struct GivenArgument {
  using Kind = model::ArgumentKind;
  Kind kind = Kind::Value;
  std::string name{};
  std::size_t size = 0;           // bytes
  std::vector<std::byte> bytes{}; // Value
  // Buffer, Image. nullptr: a null pointer. For an image1d_buffer_t, its buffer.
  cl_mem memory = nullptr;
  void* svm = nullptr; // Buffer: in place of `memory`: shared virtual memory, from this pointer on
  std::optional<runtime::ImageLayout> image{};
  SamplerView sampler{};
  bool is_written = false;                     // Buffer, Image: whether the kernel writes it
  bool keeps_packets = false;                  // Buffer: one of PipeMemory
  std::vector<runtime::ByteRange> unwritten{}; // Buffer: what nobody has written, if that is known

  bool has_memory() const { return memory || svm; }
  // Returns whether it is read and written as an image. An image1d_buffer_t is read as its buffer.
  bool has_pixels() const { return image && image->type != CL_MEM_OBJECT_IMAGE1D_BUFFER; }
};

// What the program has allocated, and OpenCL does not describe.
struct KnownMemory {
  SvmMemory& svm;
  PipeMemory& pipes;
};

// Returns the arguments in order of position. `described` and `settings` are those of the same
// kernel. Throws std::runtime_error, with a message that begins with "argument 'x'", for what
// cannot be expressed: pointers that clSVMAlloc() did not give, pipes of devices, images of
// unknown formats, missing arguments, and memory that is given twice and that the kernel writes. It
// also throws for kernels that reach shared virtual memory that is no argument.
std::vector<GivenArgument> given_arguments(const model::KernelInterface& described,
                                           const KernelSettings& settings, KnownMemory known);

// Returns the argument's memory object; nullptr: it is none.
cl_mem memory_in(const KernelSettings::Argument& argument);

// Returns the size in bytes; 0 for what is no buffer.
std::uint64_t buffer_size(cl_mem memory);

// OpenCL C's type of queues of devices, whose arguments are handles.
constexpr const char* kQueueType = "queue_t";

// Returns the memory that two arguments may share. For sub-buffers and images, it is the buffer of
// which they are a part.
cl_mem whole_of(cl_mem memory);

} // namespace gputest::layer
