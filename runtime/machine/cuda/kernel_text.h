// The text that a CUDA compiler gets for a kernel, and what its PTX says.
#pragma once

#include <string>
#include <vector>

namespace gputest::runtime::cuda {

// What messages about a kernel's name are about, in place of a file.
inline constexpr const char* kNameOfKernel = "the name of the kernel";

// `text`, and behind it what makes the kernel of that name and says which it is: of a template,
// what the name means, and of overloads one. Each of `definitions` is a macro, "NAME" or
// "NAME=VALUE". `source` is what messages call a text that does not say so itself.
std::string with_kernel(const std::string& text, const std::vector<std::string>& definitions,
                        const std::string& kernel, const std::string& source);

struct Declarations {
  std::string kernel;                 // the one that with_kernel() made, as the compiler calls it
  std::vector<std::string> variables; // of the device, by which launches may differ
  std::vector<std::string> kernels;   // all of them
};
Declarations declarations_of(const std::string& ptx);

// The PTX without the variable that names the kernel; every kernel and variable can be asked for.
std::string for_assembler(const std::string& ptx);

// "saxpy.cu(12): error: …" of NVIDIA's compiler as "saxpy.cu:12: error: …".
std::string with_places(const std::string& messages);

// "void saxpy<float>(int, float*)" of _Z5saxpy….
std::string demangled(const std::string& name);

} // namespace gputest::runtime::cuda
