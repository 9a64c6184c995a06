// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the text that a CUDA compiler gets for a kernel, and reads its PTX.
#pragma once

#include <string>
#include <vector>

namespace gputest::runtime::cuda {

// Messages about a kernel's name have this in place of a file.
inline constexpr const char* kNameOfKernel = "the name of the kernel";

// Returns `text`, followed by code that makes the kernel of that name and says which it is. That
// instantiates a template, and chooses among overloads. Each of `definitions` is a macro, "NAME" or
// "NAME=VALUE". `source` is what messages call a text that names no file itself.
std::string with_kernel(const std::string& text, const std::vector<std::string>& definitions,
                        const std::string& kernel, const std::string& source);

struct Declarations {
  std::string kernel; // the kernel that with_kernel() made, by the compiler's name
  // Variables of the device, in which launches may leave something.
  std::vector<std::string> variables;
  std::vector<std::string> kernels; // all kernels
};
Declarations declarations_of(const std::string& ptx);

// Returns the PTX without the variable that names the kernel. Every kernel and variable in it can
// be looked up.
std::string for_assembler(const std::string& ptx);

// Returns messages of NVIDIA's compiler in this project's form: "saxpy.cu(12): error: …" becomes
// "saxpy.cu:12: error: …".
std::string with_places(const std::string& messages);

// Returns "void saxpy<float>(int, float*)" for _Z5saxpy….
std::string demangled(const std::string& name);

} // namespace gputest::runtime::cuda
