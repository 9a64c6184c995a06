// The options that say what a kernel's inputs may be, shared by the subcommands that make some.
#pragma once

#include "testgen/fuzzer.h"
#include "testgen/session.h"

#include <cxxopts.hpp>
#include <string>

namespace gputest::driver {

// --argument, --require, --global-size, --local-size, --cases and what these say nothing of.
void add_input_options(cxxopts::Options& options);

// Throws CommandError.
void read_input_options(const cxxopts::ParseResult& arguments, const passes::SourceOptions& source,
                        testgen::InputSettings& settings);

// One line, which the next replaces; nothing where no terminal is.
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
