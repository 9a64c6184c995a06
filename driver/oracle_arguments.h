// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options that choose what judges a program: --oracle, --fail-regex, --pass-regex and
// --oracle-tolerance.
#pragma once

#include "model/programs/oracle.h"

#include <cxxopts.hpp>
#include <string>

namespace gputest::driver {

void add_oracle_options(cxxopts::Options& options);

// Throws CommandError for words that are not known, and for broken expressions.
model::Oracle oracle_of(const cxxopts::ParseResult& arguments);

// Says on standard error what ProgramOracle::note() returned, if anything.
void print_oracle_note(const std::string& name, const std::string& note);

} // namespace gputest::driver
