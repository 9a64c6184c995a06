// Schedules of cases as files, from which `gputest replay` runs them again.
#pragma once

#include "memory/generate/result.h"
#include "memory/replay.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace gputest::driver {

// Words that, behind `gputest memory`, name the same kernel, cases and GPU as the command line.
std::vector<std::string> words_of(const cxxopts::ParseResult& arguments);

// Files numbered from 1, of the case on that loses the largest part of its cycles; those of an
// earlier run are removed. `all`: with their cases' indices in the result, which gets their names.
// `words`: as above, which run a file again in the folder of this process.
void write_replays(const std::filesystem::path& folder,
                   std::vector<std::pair<memory::Replay, std::size_t>> all,
                   const std::vector<std::string>& words, memory::MemoryResult& result);

} // namespace gputest::driver
