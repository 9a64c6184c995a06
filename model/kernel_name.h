// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the names that users give kernels of CUDA files: `saxpy`, `blur::rows`, `saxpy<float>` for
// a template, and `scale(float*, int)` for an overload.
#pragma once

#include <cstddef>
#include <string>

namespace gputest::model {

// Returns the C++ expression for such a name. An overload's is `static_cast<void (*)(float*,
// int)>(scale)`.
inline std::string expression_of_kernel(const std::string& name) {
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i)
    if (name[i] == '<')
      ++depth;
    else if (name[i] == '>')
      --depth;
    else if (name[i] == '(' && depth == 0)
      return "static_cast<void (*)" + name.substr(i) + ">(" + name.substr(0, i) + ")";
  return name;
}

} // namespace gputest::model
