// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/declarations.h"

#include <set>
#include <sstream>

namespace gputest::cuda::compiler {

// Returns the name that begins at `begin` in a line of LLVM assembly, without quotes.
static std::string name_at(const std::string& line, std::size_t begin) {
  if (line[begin] == '"')
    return line.substr(begin + 1, line.find('"', begin + 1) - begin - 1);
  return line.substr(begin, line.find_first_of(" ,()", begin) - begin);
}

std::string declarations_of(const std::string& listing) {
  std::string text;
  std::set<std::string> kernels;
  const auto add_kernel = [&](const std::string& name) {
    if (kernels.insert(name).second)
      text += ".visible .entry " + name + "();\n";
  };
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line);) {
    // LLVM 19: !8 = !{ptr @_Z5scalePfi, !"kernel", i32 1}
    if (const std::size_t at = line.find("{ptr @");
        line.starts_with("!") && at != line.npos && line.find("!\"kernel\"", at) != line.npos)
      add_kernel(name_at(line, at + 6));
    // LLVM 22: define dso_local ptx_kernel void @_Z5scalePfi(ptr noundef %0) …
    if (line.starts_with("define ") && line.find(" ptx_kernel ") < line.find('@'))
      add_kernel(name_at(line, line.find('@') + 1));
    // @counter = internal addrspace(1) global i32 3, align 4
    const std::size_t kind = line.find(" global ");
    if (!line.starts_with("@") || kind == line.npos || line.find("addrspace(1)") > kind ||
        line.find(" extern_weak ") < kind || line.find(" external ") < kind)
      continue;
    const std::size_t value = line.find(" global ptr @", kind);
    text += ".visible .global .b8 " + name_at(line, 1) +
            (value == line.npos ? "" : " = " + name_at(line, value + 13)) + ";\n";
  }
  return text;
}

std::string without_names(const std::string& listing, std::string& names) {
  std::string text;
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("@gputest_name_"))
      names += name_at(line, line.rfind('@') + 1) + "\n";
    else if (!line.starts_with("@gputest_kernel "))
      text += line + "\n";
  return text;
}

} // namespace gputest::cuda::compiler
