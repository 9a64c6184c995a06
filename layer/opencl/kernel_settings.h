// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The settings that a program has made on a kernel.
#pragma once

#include "layer/opencl/implementation.h"

#include <cstddef>
#include <vector>

namespace gputest::layer {

// These settings are passed to the kernel's twins.
struct KernelSettings {
  struct Argument {
    enum class Kind { Unset, Value, Null, SvmPointer };
    Kind kind = Kind::Unset;
    std::size_t size = 0; // Value, Null (of __local memory)
    std::vector<std::byte> bytes;
    const void* pointer = nullptr; // SvmPointer
  };
  struct ExecInfo {
    cl_kernel_exec_info name;
    std::vector<std::byte> bytes;
  };
  std::vector<Argument> arguments; // by index
  std::vector<ExecInfo> exec_infos;
};

} // namespace gputest::layer
