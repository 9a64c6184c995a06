// Reads memory.json files.
#pragma once

#include "report/common/source.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gputest::report {

struct MemoryPlace {
  std::string file, variable;
  unsigned line = 0, column = 0;
};

struct MemoryReference {
  MemoryPlace place;
  std::string access;
  std::uint64_t executions = 0, transactions = 0, fewest = 0, hits = 0, misses = 0, waiting = 0,
                lost = 0;
};

struct MemoryWarning {
  MemoryPlace place;
  std::string kind, message, because;  // kind: "interference"
  std::vector<std::string> what_ifs{}; // "'a' moved by 64 bytes: -3.0 % cycles"
};

// The states of a case's warps in equal steps of time.
struct MemoryTimeline {
  std::uint64_t cycles_per_step = 0;
  struct Warp {
    unsigned core = 0, warp = 0;
    std::string steps; // 'r' runs, 'm' waits for memory, 'b' at a barrier, '.' not there
  };
  std::vector<Warp> warps{};
};

// The misses in the sets of the nearest caches, in equal steps of time.
struct MemorySets {
  std::uint64_t sets_of_row = 1, most = 0; // most: misses of a row in a step
  // A letter for each step: '.' is no miss, and 'a' to 'i' are ninths of `most`. 'A' to 'I' are the
  // same, where other warps had evicted some of the lines.
  std::vector<std::string> rows{};
};

struct MemoryCase {
  std::string name, schedule, condition, replay; // condition, replay: may be empty
  std::uint64_t cycles = 0, overhead = 0, instructions = 0;
  std::vector<MemoryReference> references{};
  std::vector<MemoryWarning> warnings{};
  MemoryTimeline timeline{}; // of the worst case
  MemorySets sets{};         // of the worst case

  double overhead_percent() const {
    return cycles == 0 ? 0 : 100 * static_cast<double>(overhead) / static_cast<double>(cycles);
  }
};

struct MemoryProgress {
  double seconds = 0;
  std::uint64_t executions = 0, issues = 0;
};

// The findings of a strategy over time.
struct MemoryCurve {
  std::string strategy;
  std::vector<MemoryProgress> progress{};
};

struct MemoryKernel {
  std::string kernel, source, gpu, strategy; // strategy: empty where there was no search
  std::uint64_t explored = 0, total = 0;     // numbers of references that may wait
  std::vector<MemoryCase> cases{};           // the case that loses most is first
  std::vector<MemoryCurve> curves{};         // the curve of `strategy` is first
  std::filesystem::path folder{};            // folder of the file
};

struct MemoryReport {
  std::string title;
  std::vector<MemoryKernel> kernels; // in order of name
};

// Reads the files. An empty title is replaced by one made of the kernels' names. Throws InputError
// if a file cannot be read or does not have the format.
MemoryReport read_memory_report(const std::vector<std::filesystem::path>& files, std::string title);

// Returns a line for each kernel, and its warnings in compiler style.
std::string memory_terminal(const MemoryReport& report);

// One HTML 5 page that needs nothing else: the cases ranked, the warps of the worst one over time,
// and the source with what each line did. `sources`: the text of the kernels' files.
std::string memory_html(const MemoryReport& report, const SourceTree& sources);

// JUnit XML: a suite for each kernel, and a test case for each case. One with warnings fails.
std::string memory_junit(const MemoryReport& report);

// SARIF 2.1.0: warnings, once for each place and kind. Names of files below `root` are relative to
// it.
std::string memory_sarif(const MemoryReport& report, const std::filesystem::path& root);

} // namespace gputest::report
