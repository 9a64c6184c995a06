// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes schedules of cases to files, from which `gputest replay` runs them again.
#pragma once

#include "memory/generate/result.h"
#include "memory/replay.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace gputest::driver {

// Returns the words that, after `gputest memory`, name the same kernel, cases and GPU as this
// command line.
std::vector<std::string> words_of(const cxxopts::ParseResult& arguments);

// Writes files that are numbered from 1, beginning with the case that loses the largest part of its
// cycles. Removes those of an earlier run. `all`: schedules, with the indices of their cases in
// `result`, which gets the names of the files. `words`: words_of(), which run a file again in the
// working directory of this process.
void write_replays(const std::filesystem::path& folder,
                   std::vector<std::pair<memory::Replay, std::size_t>> all,
                   const std::vector<std::string>& words, memory::KernelReport& result);

} // namespace gputest::driver
