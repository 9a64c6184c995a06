// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a SPIR-V module as declarations in OpenCL C.
#pragma once

#include "model/spirv/module.h"

#include <map>
#include <string>
#include <vector>

namespace gputest::frontend {

// Returns a text in which each kernel has its name, its parameters and its required size. A body
// only says what the kernel does with the memory of its pointers: reads it, writes it, or both.
// Names of parameters come from the module, or else from its debug information, and so do the signs
// of numbers, which SPIR-V itself does not tell. `file`: the module's name for places.
std::string declarations_of(const model::SpirvModule& module, const std::string& file);

// Returns the names of each kernel's parameters, as the declarations have them.
std::map<std::string, std::vector<std::string>> parameter_names(const model::SpirvModule& module);

} // namespace gputest::frontend
