// Kernels of CUDA files by the names that users give them: `saxpy`, `blur::rows`, `saxpy<float>` of
// a template, and of overloads `scale(float*, int)`.
#pragma once

#include <cstddef>
#include <string>

namespace gputest::model {

// The C++ expression that such a name is: of an overload
// `static_cast<void (*)(float*, int)>(scale)`.
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
