// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generates a C++ file with an empty reference function for a kernel.
#pragma once

#include "model/interface.h"

#include <string>

namespace gputest::hostgen {

// Returns a file that declares the kernel's structs as the host lays them out. It also has a
// function `<kernel>_reference` (rows_reference for blur::rows<float>) with the kernel's
// parameters, which throws std::logic_error until somebody writes what the kernel should compute.
// Throws HarnessError where an argument has a type that no reference function can take.
std::string reference_skeleton(const model::KernelInterface& kernel);

// Returns how a reference function of this name begins, in one line: "void f(const cl_int* data)".
// Throws as reference_skeleton() does.
std::string reference_signature(const model::KernelInterface& kernel, const std::string& name);

} // namespace gputest::hostgen
