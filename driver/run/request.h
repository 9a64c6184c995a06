// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An analysis of a program, as the command line asks for it.
#pragma once

#include "model/settings.h"
#include "program/kind.h"

#include <cxxopts.hpp>

namespace gputest::driver {

struct ProgramRequest {
  program::TestedProgram& program;
  const program::ProgramKind& kind;
  const model::Settings& settings; // of the analysis
  const cxxopts::ParseResult& arguments;
  bool is_asked = true; // false: no analysis is asked for, and this one runs instead
};

} // namespace gputest::driver
