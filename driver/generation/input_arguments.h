// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options that say what a kernel's inputs may be. The subcommands that make inputs share them.
#pragma once

#include "gputest/launch.h"
#include "testgen/input_search.h"
#include "testgen/session.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::driver {

// Adds --argument, --require, --global-size, --local-size, --cases and the options for what these
// leave open.
void add_input_options(cxxopts::Options& options);

// Reads these options into `settings`. Throws CommandError.
void read_input_options(const cxxopts::ParseResult& arguments,
                        const frontend::SourceOptions& source, testgen::InputSettings& settings);

// Returns the files that --replay names. Throws CommandError if one is not there.
std::vector<std::filesystem::path> replayed_files(const cxxopts::ParseResult& arguments);

// Reads --absolute, --relative and --ulp. Throws CommandError.
Tolerance tolerance_option(const cxxopts::ParseResult& arguments);

// Returns "gputest" and the words as a shell reads them, without these options and their values.
std::string command_without(std::span<const char* const> words,
                            std::initializer_list<std::string_view> options);

// A line of progress, which the next one replaces. Shows nothing if standard output is no terminal.
class StatusLine {
public:
  explicit StatusLine(bool shown);
  ~StatusLine() { clear(); }

  void show(const std::string& kernel, const testgen::Progress& progress);
  void clear() const;

private:
  bool shown_;
};

} // namespace gputest::driver
