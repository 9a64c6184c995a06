// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places for SPIR-V that has no debug information.
#pragma once

#include "model/spirv/module.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gputest::ir {

// Returns the words of the module with debug information (OpenCL.DebugInfo.100). A module that has
// some stays as it is. An instruction has the place that the module gives it with OpLine. In
// functions without any OpLine, its place is its line in what `spirv-dis` writes of the module, and
// the file's name is `file`. Texts of sources are left out.
std::vector<std::uint32_t> with_places(const model::SpirvModule& module, const std::string& file);

} // namespace gputest::ir
