// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/program_kinds.h"

#include "program/cuda/program.h"
#include "program/opencl/program.h"

#include <algorithm>
#include <array>

namespace gputest::driver {

std::span<const program::ProgramKind> program_kinds() {
  static const std::array kKinds{program::cuda_kind(), program::opencl_kind()};
  return kKinds;
}

const program::ProgramKind& kind_named(std::string_view name) {
  return *std::ranges::find(program_kinds(), name, &program::ProgramKind::name);
}

} // namespace gputest::driver
