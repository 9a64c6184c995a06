// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of files and folders that are made of names in programs, however long these are.
#pragma once

#include "model/stable_hash.h"

#include <cctype>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace gputest::model {

// File systems allow 255 bytes, and names get numbers, endings and names of hosts, too.
constexpr std::size_t kMostFileName = 120;

// Returns a longer name's begin and a digest of all of it, and other names as they are.
inline std::string short_file_name(std::string name) {
  if (name.size() <= kMostFileName)
    return name;
  const std::string digest = fmt::format("-{:016x}", stable_hash<std::uint64_t>(name));
  return name.substr(0, kMostFileName - digest.size()) + digest;
}

// Returns the name of a file or folder for `label`: letters, digits, '-', '.' and '_' stay, and all
// else becomes '_'. "six in parts of 2" -> "six_in_parts_of_2".
inline std::string file_name_of(std::string_view label) {
  std::string name(label);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.')
      c = '_';
  return short_file_name(std::move(name));
}

} // namespace gputest::model
