// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options for reading a kernel file, as a device's compiler would get them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::frontend {

struct SourceOptions {
  std::string file;                             // the .cl file
  std::string appended;                         // code that follows the file's text; may be empty
  std::vector<std::string> definitions;         // NAME or NAME=VALUE
  std::vector<std::string> include_directories; // searched after the file's own folder
  std::string kernel{}; // CUDA: a kernel whose template is to be instantiated, as users name it
  std::string cl_std = "CL1.2"; // "CLC++2021"; of CUDA and HIP: "c++20"

  // The device's macros that differ from those that devices commonly define: OpenCL version,
  // extensions, vendors' macros. nullopt: not defined.
  std::map<std::string, std::optional<std::string>> device_macros;

  // Files below this folder are named relative to it wherever a name is written. Empty: files have
  // the names that were given.
  std::string source_root;
  std::optional<std::string> text{}; // in place of the file's
};

// Whether this is a version of C++ for OpenCL.
inline bool is_cpp_for_opencl(std::string_view cl_std) {
  return cl_std.starts_with("CLC++");
}

// Returns the version of OpenCL C whose functions a version has; empty: it is none of OpenCL's.
inline std::string opencl_c_of(const std::string& cl_std) {
  if (!cl_std.starts_with("CL"))
    return {};
  if (!is_cpp_for_opencl(cl_std))
    return cl_std;
  return cl_std == "CLC++2021" ? "CL3.0" : "CL2.0";
}

} // namespace gputest::frontend
