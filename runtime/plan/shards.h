// Shards: parts of an analysis's work, for several machines or several tests of CTest. Parts share
// nothing: each has a folder with results of its own. The run of the whole puts them together, and
// does itself what none has done.
#pragma once

#include "model/settings.h"

#include <filesystem>
#include <string>

namespace gputest::runtime {

struct Plan;
struct KernelDescription;

struct Shard {
  unsigned number = 1, of = 1;
  bool is_part() const { return of != 1; }
};

// What --shard says, "2/8"; without it the whole. Throws UsageError.
Shard shard_of(const model::Settings& settings);

// The folder of a shard, 2-of-8 below `shards`.
std::filesystem::path folder_of(const std::filesystem::path& shards, const Shard& shard);

// The result of a shard, such as shards/2-of-8/schedules-2-of-8.json, where that of the whole is to
// be `whole`.
std::filesystem::path result_of(const std::filesystem::path& whole, const Shard& shard);

// A hash of what results of a shard belong to: the kernel's text, how it is built, its cases, and
// what the analysis is told. Results with another one are not taken. Equal on all machines.
std::string content_of(const Plan& plan, const KernelDescription& description);

} // namespace gputest::runtime
