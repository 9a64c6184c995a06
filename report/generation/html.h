// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result of generating cases: which case reaches each outcome, or why none can.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace gputest::report {

enum class GoalState { Reached, Impossible, Open, Blocked };

// An outcome to reach, or a mutant to kill.
struct GenerationGoal {
  unsigned line = 0, column = 0;
  std::string what;   // "if 'x < n' false"
  std::string id;     // id of a mutant
  std::string code{}; // the source line; empty: it is in another file
  GoalState state = GoalState::Open;
  std::string answer; // Reached: the case; Impossible: the proof; Open and Blocked: what
                      // stood in the way
};

struct GenerationCase {
  std::string file;
  std::size_t outcomes = 0, kills = 0;
  std::vector<std::string> remarks; // "its outputs are recorded, not verified"
};

struct GenerationResult {
  std::string kernel, source; // as the user named it
  std::vector<GenerationGoal> outcomes, mutants;
  std::vector<GenerationCase> cases;                // the cases that were written
  std::vector<std::string> findings;                // guards that the kernel lacks, and notes
  std::string cost;                                 // "1042 launches in 0.6 s"
  std::vector<std::pair<std::string, double>> busy; // processor seconds, by stage
};

// {"format": "gputest-generation-report-1", "kernels": […]}; docs/reference/formats.md.
std::string generation_json(const std::vector<GenerationResult>& results);

// Returns one self-contained page for the kernels of a file.
std::string generation_html(const std::vector<GenerationResult>& results);

} // namespace gputest::report
