// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of looking at the memory accesses of one kernel: memory.json
// (docs/reference/formats.md).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gputest::model {

inline constexpr const char* kMemoryFormat = "gputest-memory-1";

struct MemoryPlace {
  std::string file{};
  unsigned line = 0, column = 0;
  std::string variable{}; // empty: known only when the kernel runs
};

struct MemoryReference : MemoryPlace {
  std::string access{}; // "read", "write", "atomic"
  std::string memory{}; // "local", "constant", "private", "global"
  std::uint64_t executions = 0, work_items = 0, transactions = 0, fewest = 0, hits = 0, misses = 0,
                reloads = 0, waiting = 0, lost = 0;
  std::optional<std::int64_t> stride{};
  std::string alone{};
  bool faces_conflict = false, address_known = false;
};

struct MemoryInterference : MemoryPlace { // the owner of the lines
  MemoryPlace evicted_by{};
  std::uint64_t lines = 0, waiting = 0;
  std::vector<std::uint64_t> sets{}; // of the cache
};

struct MemoryWarning : MemoryPlace {
  struct Remedy {
    std::string text{}; // "'a' moved by 64 bytes"
    double gain_percent = 0;
    bool operator==(const Remedy&) const = default;
  };
  std::string kind{}; // "interference"
  std::string message{}, because{};
  std::vector<Remedy> what_ifs{};
};

struct MemoryWhatIf {
  std::string variable{};
  std::uint64_t moved = 0, row = 0, padding = 0;
  std::uint64_t element = 0; // each field, or column, of elements of so many bytes in an array
  std::string memory{};      // "registers", "global"; empty: unchanged
  bool by_rows = false;      // an image lies row by row, not in tiles
  bool locked = false;
  std::uint64_t bank_bytes = 0;
  bool in_tiles = false;                                  // in local memory
  std::optional<std::size_t> neighbours{};                // that a work-item does the work of
  std::optional<std::array<std::size_t, 3>> local_size{}; // nullopt: unchanged
  std::uint64_t cycles = 0;
  double gain_percent = 0;
};

// A schedule of warps that is used from the choice `begin` of the launch on.
struct MemoryPhase {
  std::uint64_t begin = 0;
  std::string schedule{};
  std::uint64_t seed = 1;
};

struct MemoryCache {
  std::uint64_t hits = 0, misses = 0; // sectors
};

// The states of a case's warps in equal steps of time.
struct MemoryTimeline {
  struct Warp {
    unsigned core = 0, warp = 0;
    std::string steps{}; // 'r' runs, 'm' waits for memory, 'b' at a barrier, '.' not there
    bool operator==(const Warp&) const = default;
  };
  std::uint64_t cycles_per_step = 0;
  std::vector<Warp> warps{};
  bool operator==(const MemoryTimeline&) const = default;
};

// The misses in the sets of the nearest caches, in equal steps of time.
struct MemorySets {
  std::uint64_t cycles_per_step = 0;
  std::uint64_t sets_of_row = 1, most = 0; // most: misses of a row in a step
  // A letter for each step: '.' is no miss, and 'a' to 'i' are ninths of `most`. 'A' to 'I' are the
  // same, where other warps had evicted some of the lines.
  std::vector<std::string> rows{};
  bool operator==(const MemorySets&) const = default;
};

struct MemoryCase {
  std::string name{}, schedule{};
  std::uint64_t seed = 0;
  std::vector<MemoryPhase> phases{};
  std::uint64_t schedules_tried = 0;
  std::optional<std::string> replay{}; // a file in the folder of --replays
  std::optional<std::string> before{}; // the kernel whose launch left its lines in shared caches
  std::uint64_t cycles = 0, overhead = 0, cycles_without_evictions = 0;
  std::optional<std::string> condition{}; // generated cases: on inputs
  std::uint64_t instructions = 0, dram_requests = 0, dram_row_hits = 0;
  std::vector<MemoryCache> caches{};
  std::vector<MemoryReference> references{};
  std::vector<MemoryInterference> interferences{};
  std::vector<MemoryWarning> warnings{};
  std::uint64_t local_sizes_tried = 0;
  std::vector<MemoryWhatIf> what_ifs{};
  std::vector<MemoryWarning::Remedy> hints{}; // what no warning calls for
  std::optional<MemoryTimeline> timeline{};   // of the worst case
  std::optional<MemorySets> sets{};           // of the worst case

  double overhead_percent() const {
    return cycles == 0 ? 0 : 100 * static_cast<double>(overhead) / static_cast<double>(cycles);
  }
};

// The state of a search at one time. An issue is a warp that loses time at a reference to evictions
// or busy banks.
struct MemoryProgress {
  double seconds = 0;
  std::uint64_t executions = 0, issues = 0;
  std::uint64_t lost = 0;      // cycles: the most so far
  double overhead_percent = 0; // of the case that loses most
  bool operator==(const MemoryProgress&) const = default;
};

// The findings of a strategy over time.
struct MemoryCurve {
  std::string strategy{};
  std::vector<MemoryProgress> progress{};
  bool operator==(const MemoryCurve&) const = default;
};

struct MemoryGeneration : MemoryCurve {
  std::uint64_t seed = 0;
  double budget = 0, seconds = 0;
  std::uint64_t executions = 0, states = 0, solved = 0, faulty = 0;
  std::optional<std::string> note{};
  std::vector<MemoryCurve> compared{};
  std::optional<std::vector<bool>> run{}; // shards: by reference, whether a test ran it
  bool operator==(const MemoryGeneration&) const = default;
};

struct MemoryCoverage {
  std::uint64_t explored = 0, total = 0; // references that may wait
};

// A change of the kernel's file with which all cases have the same results in fewer cycles.
struct MemoryPatch {
  std::string text{}, diff{};
  std::uint64_t cycles_before = 0, cycles = 0, cases = 0; // cycles: of all cases together
  bool swaps_launch = false; // the first two sizes of launches have to be swapped, too
  double gain_percent = 0;
  bool operator==(const MemoryPatch&) const = default;
};

struct MemoryResults {
  std::string kernel{}, source{}, gpu{};
  std::optional<std::string> strategy{}; // nullopt: there was no search
  // Those of the case that loses the largest part of its cycles.
  std::string schedule{};
  std::uint64_t seed = 0, cycles = 0;
  double overhead_percent = 0;
  MemoryCoverage coverage{};
  std::vector<MemoryPatch> patches{};
  std::vector<std::string> missed{}; // messages about limits that do not hold
  std::vector<MemoryCase> cases{};
  std::optional<MemoryGeneration> generation{};
  std::string content{}; // shards: a hash of what the results belong to; else empty
};

// Convert to and from JSON as in docs/reference/formats.md. Reading throws FormatError.
nlohmann::ordered_json to_json(const MemoryResults& results);
MemoryResults memory_results_from_json(const nlohmann::ordered_json& json);
MemoryResults read_memory_results(const std::filesystem::path& file);

// Convert parts, for the files of --replays.
nlohmann::ordered_json to_json(const MemoryCase& one);
std::vector<MemoryPhase> memory_phases_from_json(const nlohmann::ordered_json& json);

} // namespace gputest::model
