// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest report --fail-on and --patch-coverage: the gates of a pull request.
#pragma once

#include "driver/command_error.h"
#include "report/index/gate.h"

#include <cxxopts.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gputest::driver {

// Adds --fail-on and --patch-coverage.
void add_gate_options(cxxopts::Options& options);

// The gates that options, or GPUTEST_FAIL_ON in the environment, ask for.
class Gates {
public:
  // Throws CommandError for gates that do not exist, or that need --against.
  explicit Gates(const cxxopts::ParseResult& arguments);

  // Prints what the results do not pass. `files` are those of the index.
  ExitCode pass(const report::Index& index, const std::vector<report::Change>& changes,
                const std::vector<report::IndexInput>& files,
                const report::SourceTree& sources) const;

private:
  bool pass_patch(const std::vector<report::IndexInput>& files,
                  const report::SourceTree& sources) const;

  std::vector<const report::Gate*> gates_;
  std::optional<double> patch_coverage_; // percent
  std::string against_;                  // the commit for it
};

} // namespace gputest::driver
