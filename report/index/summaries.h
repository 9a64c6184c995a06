// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the results of each kind for the index. All functions throw FormatError.
#pragma once

#include "report/index/summary.h"

namespace gputest::report {

std::vector<Summary> test_summary(const std::filesystem::path& file);
std::vector<Summary> coverage_summary(const std::filesystem::path& file);
std::vector<Summary> mutation_summary(const std::filesystem::path& file);
std::vector<Summary> schedules_summary(const std::filesystem::path& file);
std::vector<Summary> check_summary(const std::filesystem::path& file);
std::vector<Summary> fuzz_summary(const std::filesystem::path& file);
std::vector<Summary> memory_summary(const std::filesystem::path& file);
std::vector<Summary> generation_summary(const std::filesystem::path& file);

} // namespace gputest::report
