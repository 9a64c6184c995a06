// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the names that users give kernels of CUDA files: `saxpy`, `blur::rows`, `saxpy<float>` for
// a template, and `scale(float*, int)` for an overload.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

namespace gputest::model {

// Returns where an overload's types begin; the name's length if it has none.
inline std::size_t end_of_name(const std::string& name) {
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i)
    if (name[i] == '<')
      ++depth;
    else if (name[i] == '>')
      --depth;
    else if (name[i] == '(' && depth == 0)
      return i;
  return name.size();
}

// Returns the C++ expression for such a name. An overload's is `static_cast<void (*)(float*,
// int)>(scale)`.
inline std::string expression_of_kernel(const std::string& name) {
  const std::size_t end = end_of_name(name);
  if (end == name.size())
    return name;
  return "static_cast<void (*)" + name.substr(end) + ">(" + name.substr(0, end) + ")";
}

// Returns the name without namespaces, template arguments and types: `rows` of `blur::rows<float>`.
inline std::string plain_name(std::string name) {
  name.erase(std::min(name.find_first_of("<("), name.size()));
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

// Returns the name of the kernel that GpuTestCheck writes to test a device function by itself
// (passes/wrapper.h).
inline std::string wrapper_name(const std::string& function) {
  return "gputest_" + plain_name(function);
}

// Returns the name of the function that calls a device function on the host (passes/wrapper.h).
inline std::string host_version_name(const std::string& function) {
  return "gputest_host_" + plain_name(function);
}

} // namespace gputest::model
