// What reports of every kind do with their options.
#pragma once

#include "report/common/source.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gputest::driver {

// Is standard output a terminal, and NO_COLOR (https://no-color.org) not set?
bool wants_colour();

// --source-root, or the working directory, and then the folders of the files of results.
report::SourceTree source_tree(const cxxopts::ParseResult& arguments,
                               const std::vector<std::filesystem::path>& files);

// Writes to the file that the option names what `make` returns. Throws CommandError.
void write_if_asked(const cxxopts::ParseResult& arguments, const char* option,
                    const std::function<std::string()>& make);

} // namespace gputest::driver
