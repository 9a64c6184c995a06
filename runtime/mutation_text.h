// What --mutation says on the terminal.
#pragma once

#include "model/mutation.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace gputest::runtime {

// The score, how many mutants of each verdict there are, a line for each operator, and the
// survivors: "file:line:col: operator: 'a < b' → 'a <= b' survived (3 cases reached it)". At most
// kShownSurvivors of these.
constexpr std::size_t kShownSurvivors = 100;
std::string mutation_text(const model::Mutation& mutation);

// "a.cl:3:7: relational_replacement: 'a < b' → 'a <= b'".
std::string mutant_text(const model::Mutant& mutant);

// For --verbose: the mutant, its verdict and why.
std::string verdict_text(const model::MutantResult& result);

// The line that shows how far a run is, on a terminal only.
class ProgressLine {
public:
  explicit ProgressLine(std::uint64_t total);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // `executed`: mutants that were run, and not known before; only they say something of the speed.
  void show(std::uint64_t done, std::uint64_t killed, std::uint64_t survived,
            std::uint64_t executed);
  void clear();

private:
  using Clock = std::chrono::steady_clock;

  std::uint64_t total_;
  bool is_terminal_;
  bool is_shown_ = false;
  std::optional<Clock::time_point> start_; // of the first mutant
  Clock::time_point last_{};
};

// "340/1200 mutants, 210 killed, 12 survived, 1043 per second, 1 s left".
std::string progress_text(std::uint64_t done, std::uint64_t total, std::uint64_t killed,
                          std::uint64_t survived, double per_second);

} // namespace gputest::runtime
