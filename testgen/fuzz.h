// Fuzzing as a test: new inputs for some time, each launched under the checks of the simulator and
// judged by whoever knows better. What fails is shrunk and kept as a test case.
#pragma once

#include "testgen/fuzzer.h"
#include "testgen/session.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gputest::testgen {

struct FuzzSettings : InputSettings {
  // Gets a case for each failure. Those in it run first; its folder "corpus" holds what reached
  // most, for the next run.
  std::filesystem::path output;
  std::vector<std::string> judge;            // as Judge has it; empty: checks alone
  std::vector<std::filesystem::path> replay; // not empty: these cases, and nothing else
  std::size_t most_failures = 8;             // so many are enough
};

struct Failure {
  std::string kind;             // "race", "endless", …, "reference", "property", "device"
  std::string what{};           // tells two failures of a kind apart: a line, an argument
  std::string message{};        // for people; begins with the place if one is known
  std::filesystem::path file{}; // the case
  bool known = false;           // the case was there

  bool is_judged() const; // by a host program, and not by the checks
  bool is_same(const Failure& other) const { return kind == other.kind && what == other.what; }
};

struct Fuzzed {
  std::vector<Failure> failures;
  std::vector<std::filesystem::path> passed; // cases that failed in an earlier run, or are replayed
  std::uint64_t inputs = 0;                  // that were looked at
  std::uint64_t made = 0;                    // those, and others that were no valid ones
  std::size_t goals = 0, reached = 0;        // outcomes
  std::size_t corpus = 0, added = 0;         // inputs of earlier runs, and of this one
  std::string device;                        // that launches were compared with; may be empty
  std::vector<std::string> notes;
  double seconds = 0;
};

// Looks for failures until the time is over, or enough are found; `found` is told of each as
// soon as its case is written. Throws as generate() does, and JudgeEnded; NoInput where ARGUMENTS
// and REQUIRE leave none, or no case can be replayed.
Fuzzed fuzz(const Target& target, const FuzzSettings& settings, const Fuzzer::Report& report,
            const std::function<void(const Failure&)>& found);

class NoInput : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

} // namespace gputest::testgen
