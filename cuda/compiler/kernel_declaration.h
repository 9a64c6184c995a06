// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads declarations of kernels from text, as far as launches in device code need them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::cuda::compiler {

struct KernelDeclaration {
  std::string name;
  std::vector<std::string> defaults; // of the parameters, in order; empty: there is none
  std::size_t end = 0;               // of the declaration or definition
  std::string parameters;            // "T* out, int i = n"
  std::string types;                 // without default arguments: "T* out, int i"
  // A template has a head, "template <typename T, int n>", and its parameters as arguments, "T, n".
  // Both are empty for other kernels.
  std::string head, arguments;
};

// Returns the end of a comment, literal or directive that begins at `at`; returns `at` if code
// begins there. `begins_line`: only spaces are in front of it in its line.
std::size_t after_no_code(std::string_view text, std::size_t at, bool begins_line);

// Returns the place of the first code from `at` on behind which no bracket is open and which begins
// with `wanted`; npos: there is none.
std::size_t outside_brackets(std::string_view text, std::size_t at, std::string_view wanted);

// Returns the place of the bracket that closes the one at `at`; npos: there is none.
inline std::size_t closing_bracket(std::string_view text, std::size_t at) {
  return outside_brackets(text, at, "");
}

// Returns the parts between the commas outside of brackets, without the spaces around them. The
// text of an empty list has no part. `angles`: < and > are brackets.
std::vector<std::string> parts_of(std::string_view list, bool angles);

// Reads the declaration whose word __global__ begins at `at`. nullopt: it is none of a function
// with a plain name, or its parameters have comments.
std::optional<KernelDeclaration> kernel_at(std::string_view text, std::size_t at);

} // namespace gputest::cuda::compiler
