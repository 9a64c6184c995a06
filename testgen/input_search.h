// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches for valid inputs that reach goals, by changing inputs that reached other goals
// (mutation-based fuzzing; for kernels: Peng, Rajan: CLFuzz, GPGPU 2020).
//
// An input that accesses memory out of bounds or races is not valid, whatever it reaches. One with
// which work-items write the same value to one place is valid, but CHECK reports it. So it is taken
// only after a search, for what that has not reached, and other launches are tried in its place. If
// only its memory is too small, the memory is enlarged and the input runs again.
#pragma once

#include "testgen/goals/goals.h"
#include "testgen/inputs/mutator.h"
#include "testgen/kills.h"
#include "testgen/worker.h"

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace gputest::testgen {

// A finding of the checks at one place of the source.
struct Found {
  simulator::Finding finding;
  std::uint64_t inputs = 0; // how many had it
  Input example;
};

struct Progress {
  std::size_t goals = 0, reached = 0; // outcomes
  std::size_t mutants = 0, killed = 0;
  std::uint64_t launches = 0;
  double seconds = 0;
  std::string doing; // "fuzzing", …
};

// The features of an input that ran with all checks, and the kinds and lines of its findings.
struct Seen {
  std::vector<std::int64_t> features;
  std::set<std::pair<std::string, unsigned>> findings;
};

class InputSearch {
public:
  using Report = std::function<void(const Progress&)>;

  // `goals`: outcomes to reach. `kills`: mutants to kill; null: none. References must outlive the
  // search.
  InputSearch(const Target& target, const Constraints& constraints, std::vector<Goal> goals,
              Kills* kills, Mutator& mutator, Worker& worker, Report report);

  // Sets when each search below ends at the latest; the default is never. Results depend on the
  // deadline only if it is reached. The worker's own deadline throws OutOfTime through these
  // functions; what was found by then stays.
  void set_deadline(Deadline until) { until_ = until; }

  // Is called for each input that obeys the constraints, after its memory has grown to what it
  // needs, with what the input did. If it is set, run() does not end when all goals are reached.
  using Watch = std::function<void(const Input&, const Outcome&)>;
  void watch(Watch watch) { watch_ = std::move(watch); }

  // Mutants are goals, too, from now on. Tries the inputs that are there on them.
  void add_kills(Kills& kills);

  // Adds a given input. Its outcomes count as reached, and mutants that it kills by `oracle` as
  // killed. An input that faults is not added. Returns false if it faults, or if Outcome::clean()
  // is false.
  bool add(const Input& input, const Oracle& oracle);

  // Searches until all outcomes are reached, `without_progress` launches have brought nothing new,
  // or the time is over. For sources beyond a certain length, fewer launches are made. Inputs that
  // reach something new are tried on the mutants.
  void run(std::uint64_t without_progress);

  // Searches likewise until all mutants are killed, and tries each input on the mutants left.
  void hunt(std::uint64_t without_progress);

  // Searches for outcomes that only invalid inputs have reached, with inputs whose scalars are
  // related to each other and to the launch (Mutator::tied()).
  void tie(std::uint64_t without_progress);

  // Stops the search for a goal that no input reaches.
  void drop(const Goal& goal) {
    std::erase_if(goals_, [&](const Goal& other) { return other.bit == goal.bit; });
  }

  // Runs typical inputs with all checks, to find missing guards in the kernel.
  void probe();

  // Runs an input that the solver made, with larger memory if it only lacks that. Returns true if
  // it reached something new.
  bool offer(Input input);

  const std::vector<Input>& valid() const { return valid_; }         // each reached something new
  const std::vector<Outcome>& outcomes() const { return outcomes_; } // of the same
  // Whether valid()[index] is known to be weak as a test (weak.h).
  bool weak(std::size_t index) const { return weak_[index]; }
  // Whether CHECK reports nothing with valid()[index] (Checked::silent()).
  bool silent(std::size_t index) const { return silent_[index]; }
  bool reached(const Goal& goal) const { return has(reached_, goal.bit); }
  // Whether only inputs that are not valid reached the goal.
  bool reached_invalid(const Goal& goal) const {
    return !reached(goal) && has(reached_invalid_, goal.bit);
  }
  // How many inputs with which the kernel is at fault reached the goal before another input did.
  std::uint64_t refused(const Goal& goal) const {
    const auto known = refused_.find(goal.bit);
    return known == refused_.end() ? 0 : known->second;
  }
  // If reached_invalid(goal), returns the finding that makes such an input invalid. Null: the
  // launch does not end.
  const Found* obstacle(const Goal& goal) const;
  bool all_reached() const; // outcomes
  bool all_killed() const;
  const std::map<std::pair<std::string, unsigned>, Found>& found() const { return found_; }
  // Inputs that ran with all checks to their end; the first kMostSeen.
  const std::vector<Seen>& seen() const { return seen_; }
  std::uint64_t endless() const { return endless_; }
  // Later searches take inputs for what they reach although the kernel races or goes out of bounds
  // with them: as if these faults were mended. They begin with those that were refused before.
  void assume_fixed();
  // Whether only such inputs reached the goal.
  bool reached_behind(const Goal& goal) const { return behind_.contains(goal.bit); }
  // Whether a search has made an input that obeys the requirements.
  bool obeyed() const { return obeyed_; }
  bool out_of_time() const { return until_.over(); }
  double seconds() const;
  void tell(const char* doing); // calls Report, at most ten times a second

  // Enlarges the input's memory until nothing is out of bounds, and updates `outcome`. Returns
  // nullopt if that does not help.
  std::optional<Input> grown(Input input, Outcome& outcome);

private:
  struct Entry {
    Input input;
    bool valid = true;
    std::uint64_t picked = 0;
  };

  static bool has(const std::vector<std::uint32_t>& words, unsigned bit) {
    return bit / 32 < words.size() && (words[bit / 32] >> bit % 32 & 1) != 0;
  }
  bool is_new(const Outcome& outcome, const std::vector<std::uint32_t>& known) const;
  std::vector<unsigned> new_bits(const Outcome& outcome) const;
  void search(std::uint64_t without_progress, const std::function<Input()>& make,
              const char* doing);
  void search_first_choice(std::uint64_t without_progress, const std::function<Input()>& make,
                           const char* doing);
  Input next();
  // Returns whether no other input had so few findings.
  bool keep_near(const Input& input, const Checked& checked);
  void handle(const Input& input, const Outcome& outcome, bool is_offered = false);
  bool grow(Input& input, const Outcome& outcome);
  void made_progress();
  void look_for_kills();
  void add_reached(const Outcome& outcome, bool silent);
  struct Taken {
    bool weak = false;
    bool silent = true; // nothing was found
  };
  void take(const Input& input, const Outcome& outcome, Taken taken);
  void take_invalid(const Input& input, const Outcome& outcome, const Found* found);
  void take_behind(const Input& input, const Outcome& outcome);
  void take_later(const Input& input, const Outcome& outcome, bool weak);
  const Found* note(const Checked& checked, const Input& input);
  // Whether the kernel is out of bounds of memory that is as large as it can be here.
  bool is_at_limit(const Input& input, const Outcome& outcome) const;
  Input seed();
  const Entry& pick();

  const Target& target_;
  const Constraints& constraints_;
  std::vector<Goal> goals_;
  Kills* kills_;
  bool hunting_ = false; // in hunt()
  bool tying_ = false;   // in tie(): each input that reaches something is checked
  struct Near {
    Input input;
    std::size_t faults; // findings of the checks
  };
  std::vector<Near> near_; // in tie(): those with the fewest faults come first
  Mutator& mutator_;
  Worker& worker_;
  Deadline until_{};
  Report report_;
  Watch watch_{};
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point told_{};

  std::vector<std::uint32_t> interesting_; // bits of all sites and mutants
  std::vector<std::uint32_t> reached_, reached_invalid_, reached_later_, reached_silently_;
  std::map<unsigned, std::pair<std::string, unsigned>> obstacles_; // by bit: key in found_
  std::map<unsigned, std::uint64_t> refused_;                      // by bit: how often
  std::vector<Entry> corpus_;
  std::vector<Input> valid_;
  std::vector<Outcome> outcomes_;
  std::vector<bool> weak_, silent_;
  struct Later {
    Input input;
    Outcome outcome;
    bool weak;
  };
  std::vector<Shape> other_launches(const Shape& shape) const;
  void take_second_choice();
  void take_with(const Later& later, const Shape& shape, bool may_be_weak);
  std::vector<Later> later_; // second choice: work-items write the same value to one place
  std::vector<std::pair<Input, unsigned>> again_; // inputs whose memory has grown, and how often
  std::map<std::pair<std::string, unsigned>, Found> found_;
  Features features_;
  std::vector<Seen> seen_;
  std::uint64_t endless_ = 0;
  bool obeyed_ = false;
  bool assumes_fixed_ = false;
  std::set<unsigned> behind_;                        // bits
  std::uint64_t last_progress_ = 0, lost_since_ = 0; // launches; slow ones count as several
  std::uint64_t may_be_in_vain_ = 0;                 // launches of the search
  std::size_t seeds_ = 0;
  unsigned grown_ = 0; // how often the memory of the current input has grown
};

} // namespace gputest::testgen
