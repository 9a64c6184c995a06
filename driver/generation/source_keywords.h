// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keywords of gputest_add_kernel() that say how a source is compiled.
#pragma once

#include "frontend/flatten.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <string>

namespace gputest::driver {

// Returns lines with DEFINITIONS, INCLUDE_DIRECTORIES and the version of the language, of those
// that are given. Folders below `base` are named relative to it; that of the source needs no name.
std::string source_keywords(const frontend::SourceOptions& source,
                            const cxxopts::ParseResult& arguments,
                            const std::filesystem::path& base);

} // namespace gputest::driver
