// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coverage of test cases, with tallies and thresholds: coverage.json.
//
// Branch, loop and barrier coverage are defined as in CLTestCheck (Peng, Rajan, FASE 2019, section
// 3.1), and statement and condition coverage as usual.
#pragma once

#include "model/sites.h"

#include <array>
#include <cstdint>
#include <map>

namespace gputest::model {

// All criteria, in the order in which reports show them.
inline constexpr std::array kCriteria{Criterion::Statement, Criterion::Branch, Criterion::Condition,
                                      Criterion::Loop, Criterion::Barrier};

struct InstanceCoverage {
  std::string function; // "scale<float>"
  std::vector<std::uint64_t> hits;
};

struct SiteCoverage {
  // Bits of outcomes are meaningless here; with shown(), `instances` has the one that it is.
  Site site;
  // For each outcome of the site, the number of test cases in which it occurred.
  std::vector<std::uint64_t> hits;
  // The same for each instantiation of the template that the site is in. Empty: the site is in no
  // template, or instantiations were not told apart.
  std::vector<InstanceCoverage> instances{};
};

struct DivergentBarrier {
  Site barrier;  // one site of criterion Barrier
  Vote decision; // the decision on which work-items disagreed
  std::uint64_t group = 0;
  std::string test_case;
};

enum class CaseVerdict {
  Passed,    // of checks: it ran
  NotProved, // of checks alone
  Failed,
  Crashed,
  Timeout,
  Error // nothing is known of the kernel
};
constexpr auto names_of(CaseVerdict) {
  return std::to_array<std::string_view>(
      {"passed", "not proved", "failed", "crashed", "timeout", "error"});
}

struct CaseRecord {
  std::string name;
  CaseVerdict verdict = CaseVerdict::Passed;
  std::string message{}; // empty when passed
  double seconds = 0;
  // The outcomes that occurred, as hexadecimal digits: bit i % 4 of digit i / 4 is the i-th outcome
  // of Coverage::sites, in their order. Empty: it is not known. merge() drops those of the other
  // coverage, whose sites come elsewhere.
  std::string reached{};
};

// Returns whether the outcome with this number occurred.
bool reaches(const CaseRecord& record, std::size_t outcome);

struct Thresholds {
  std::map<Criterion, double> percent; // 0 to 100
};

struct Coverage {
  std::string kernel; // the kernel's name
  std::string name;   // gputest_add_kernel(<name> …)
  std::string device;
  std::string source; // the source file, as the user named it
  std::vector<SiteCoverage> sites;
  std::vector<DivergentBarrier> divergent_barriers;
  std::vector<NotInstrumented> not_instrumented;
  std::vector<NotCounted> not_counted;
  std::vector<CaseRecord> cases;
  std::vector<SourceFile> sources{}; // the files that were measured; empty: unknown
  Thresholds thresholds{};           // those that the kernel's tests must reach
  bool apart = false;                // reports show instantiations separately
};

struct Tally {
  std::uint64_t covered = 0, total = 0;
  // Returns nullopt if there is nothing to cover, so that no 0/0 is shown as 100 %.
  std::optional<double> percent() const;
};

struct LoopTally {
  std::uint64_t total = 0;                                 // loops
  std::uint64_t zero = 0, one = 0, many = 0, boundary = 0; // loops in which the case occurred
  Tally cases; // applicable (loop, case) pairs; a LOOP threshold counts these
};

struct Criteria {
  Tally statement;
  Tally branch;                              // outcomes of all kinds
  std::map<std::string, Tally> branch_kinds; // "if", "switch", "loop", "conditional"
  Tally condition;
  LoopTally loop;
  Tally barrier; // executed by all work-items of a group, and never divergent

  const Tally& of(Criterion criterion) const; // Loop: loop.cases
};

Criteria tally(const Coverage& coverage);

struct Miss {
  Criterion criterion;
  double required = 0, reached = 0;
};
// Returns the thresholds that are missed. A criterion with nothing to cover misses none.
std::vector<Miss> missed(const Criteria& criteria, const Thresholds& thresholds);

// Returns "branch coverage is 75 %, below the threshold of 80 %".
std::string text_of(const Miss& miss);

// Adds `other` to `into`. Sites with the same id, file and function are one site, and their hits
// add up. Names, kernels and devices that differ are joined with ", ". Thresholds of `other` are
// dropped.
void merge(Coverage& into, const Coverage& other);

// Returns what reports show. With Coverage::apart, the sites of a template are replaced with those
// of its instantiations, whose function is "scale<float>".
Coverage shown(const Coverage& coverage);

// docs/reference/formats.md describes coverage.json. Reading throws FormatError, and writing throws
// WriteError.
nlohmann::ordered_json to_json(const Coverage& coverage);
Coverage coverage_from_json(const nlohmann::ordered_json& json);
Coverage read_coverage(const std::filesystem::path& file);
void write_coverage(const Coverage& coverage, const std::filesystem::path& file);

} // namespace gputest::model
