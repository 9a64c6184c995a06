// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/host/call_sites.h"

#include <exception>
#include <fmt/format.h>
#include <optional>

namespace gputest::layer {
namespace {

std::string file_of(const void* code) {
  const std::optional<process::CodePlace> place = process::place_in_file(code);
  return place ? place->file : "";
}

bool is_library(const std::string& file) {
  static const std::string own = file_of(reinterpret_cast<const void*>(&is_library));
  return file.empty() || file == own || file.find("/libOpenCL.so") != std::string::npos ||
         file.find("/libc.so") != std::string::npos;
}

// opencl.hpp, cl2.hpp, and the C++ library.
bool is_header(const std::string& file) {
  return file.starts_with("/usr/include/") || file.find("/include/c++/") != std::string::npos ||
         file.find("/CL/") != std::string::npos;
}

} // namespace

CallSite CallSites::at(const void* caller) {
  const std::optional<process::CodePlace> place = process::place_in_file(caller);
  if (!place || is_library(place->file))
    return {};
  CallSite site;
  try {
    for (const auto& [in, function] : locate_(*place)) {
      if (in.line != 0 && is_header(in.file))
        continue;
      if (in.line != 0)
        return {.place = in, .text = fmt::format(" at {}:{}", in.file, in.line)};
      if (site.text.empty() && !function.empty())
        site.text = " in " + function;
    }
  } catch (const std::exception&) { // there is no simulator: the place stays unknown
  }
  return site;
}

CallSite CallSites::of(const process::Callers& callers) {
  CallSite first;
  for (const void* const caller : callers) {
    const auto [known, is_new] = known_.try_emplace(caller);
    if (is_new)
      known->second = at(caller);
    if (known->second.place.line != 0)
      return known->second;
    if (first.text.empty())
      first = known->second;
  }
  return first;
}

} // namespace gputest::layer
