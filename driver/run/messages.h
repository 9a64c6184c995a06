// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What several analyses of programs print.
#pragma once

#include "program/kind.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace gputest::driver {

// Prints a line for each program and kernel that could not be measured.
void print_not_measured(const std::vector<program::NotMeasured>& entries);

// Prints why the program fails, if it does. Returns whether it passes.
bool print_failure(const std::string& name, const program::JudgedRun& judged);

// Says on standard error that the program found no device. Returns the exit code of a skipped test.
int skipped(const std::string& name);
// Says on standard output how many of `reads` vary, if any do.
void print_varying(std::size_t varying, std::size_t reads);

// Prints the findings that lead, and notes about others, and returns the number of all. `folder`:
// that of the results, with a file beside each finding; empty: there is none. `is_printed`: the
// program has printed them itself, so that only the files are of interest.
std::size_t print_findings(const std::vector<program::KernelChecks>& kernels,
                           const std::filesystem::path& folder, bool is_printed = false);

} // namespace gputest::driver
