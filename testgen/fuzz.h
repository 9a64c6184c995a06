// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzing as a test. New inputs run for some time under the simulator's checks, and the host
// program judges their outputs. Failing inputs are shrunk and kept as test cases.
#pragma once

#include "testgen/input_search.h"
#include "testgen/session.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gputest::testgen {

// A launch that takes longer is a failure, so the limit is larger than generation's, which only
// tries other inputs. A launch with all checks gets ten times that.
inline constexpr LaunchLimit kFuzzLimit{.steps = 100'000'000, .seconds = 2};

struct FuzzSettings : InputSettings {
  // The folder that gets a case for each failure. Cases that are already there run first. Its
  // subfolder "corpus" keeps the inputs that reached most, for the next run.
  std::filesystem::path output;
  std::vector<std::string> judge;            // the host program's command; empty: none
  std::vector<std::filesystem::path> replay; // not empty: runs these cases and nothing else
  std::size_t most_failures = 8;             // ends the run
  LaunchLimit limit = kFuzzLimit;
  double judge_seconds = 120; // from the end of the time until the judge must be there
};

struct Failure {
  std::string kind;             // "race", "endless", …, "reference", "property", "device"
  std::string what{};           // a line or an argument, which tells failures of one kind apart
  std::string message{};        // for people; begins with the place if one is known
  std::filesystem::path file{}; // the case
  bool known = false;           // the case existed before this run

  bool is_judged() const; // found by the host program, not by the checks
  bool is_same(const Failure& other) const { return kind == other.kind && what == other.what; }
};

struct Fuzzed {
  std::vector<Failure> failures;
  std::vector<std::filesystem::path> passed; // replayed or earlier failed cases
  std::uint64_t inputs = 0;                  // how many were checked or judged
  std::uint64_t made = 0;                    // all inputs, with those that were not valid
  std::size_t goals = 0, reached = 0;        // outcomes
  std::size_t corpus = 0, added = 0;         // inputs kept by earlier runs, and added by this one
  std::string device;                        // launches were compared with it; or ""
  std::vector<std::string> notes;
  double before = 0;  // seconds for compiling, and until the judge was there
  double seconds = 0; // for inputs
};

// Fuzzes until the time is over or enough failures are found. The time (Counts::Time) includes that
// for compiling and for the judge's start. Where these take nearly all of it, there are 0.75 s more
// for inputs, and so there are after a judge that was ready later, which a note says. A launch that
// has begun then ends. Calls `found` for each failure as soon as its case is written. Throws what
// generate() throws, and JudgeEnded. Throws NoInput if ARGUMENTS and REQUIRE allow no input, if no
// case can be replayed, or if compiling or a launch takes too long, or the judge's start longer
// than `judge_seconds`.
Fuzzed fuzz(const Target& target, const FuzzSettings& settings, const InputSearch::Report& report,
            const std::function<void(const Failure&)>& found);

class NoInput : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

} // namespace gputest::testgen
