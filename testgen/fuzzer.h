// Looks for inputs that reach goals and that a kernel can be launched with: by changing inputs that
// reached others (mutation-based fuzzing; Peng, Rajan: CLFuzz, GPGPU 2020, for kernels).
//
// Inputs that go out of bounds or race are no tests, whatever they reach. Where only memory is too
// small, it is made larger and the input runs again.
#pragma once

#include "testgen/goals.h"
#include "testgen/inputs/mutator.h"
#include "testgen/mutants/kills.h"
#include "testgen/worker.h"

#include <chrono>
#include <functional>
#include <map>

namespace gputest::testgen {

// A finding of the checks at one place of the source.
struct Found {
  simulator::Finding finding;
  std::uint64_t inputs = 0; // that had it
  Input example;
};

struct Progress {
  std::size_t goals = 0, reached = 0; // outcomes
  std::size_t mutants = 0, killed = 0;
  std::uint64_t launches = 0;
  double seconds = 0;
  std::string doing; // "fuzzing", …
};

class Fuzzer {
public:
  using Report = std::function<void(const Progress&)>;

  // `goals`: outcomes. `kills`: mutants to be killed; null: none.
  Fuzzer(const Target& target, const Constraints& constraints, std::vector<Goal> goals,
         Kills* kills, Mutator& mutator, Worker& worker, Report report);

  // When everything that looks for inputs ends, at the latest; never at first. What is found
  // depends on it only where the time is used up. The worker has a deadline of its own, and what it
  // throws ends what is being done here; all that was found by then stays.
  void set_deadline(Deadline until) { until_ = until; }

  // Is told of each input that obeys the constraints, once its memory has grown to what it needs,
  // and what it did. With it, run() does not end because all goals are reached.
  using Watch = std::function<void(const Input&, const Outcome&)>;
  void watch(Watch watch) { watch_ = std::move(watch); }

  // An input that somebody has: what it reaches is reached, and the mutants that it kills by this
  // oracle are killed. False: it is no valid one.
  bool add(const Input& input, const Oracle& oracle);

  // Until all outcomes are reached, so many launches have brought nothing, or the time is over.
  // What reaches something new is tried on the mutants.
  void run(std::uint64_t without_progress);

  // The same until all mutants are killed: each input is tried on those that are not.
  void hunt(std::uint64_t without_progress);

  // Where only inputs reach an outcome with which the kernel is at fault: inputs whose scalars hang
  // together with each other and with the launch, until so many have brought nothing.
  void tie(std::uint64_t without_progress);

  // A goal that no input reaches: it is not looked for any more.
  void drop(const Goal& goal);

  // Checks inputs that people would give the kernel, for what it lacks a guard against.
  void probe();

  // An input that a solver made: it runs, and where it only needs larger memory it gets that. True:
  // it reached something new.
  bool offer(Input input);

  const std::vector<Input>& valid() const { return valid_; }         // each reached something new
  const std::vector<Outcome>& outcomes() const { return outcomes_; } // of the same
  // An input of these says little as a test (weak.h); false: or nobody has looked.
  bool weak(std::size_t index) const { return weak_[index]; }
  bool reached(const Goal& goal) const { return has(reached_, goal.bit); }
  // Only inputs that are not valid did it.
  bool reached_invalid(const Goal& goal) const {
    return !reached(goal) && has(reached_invalid_, goal.bit);
  }
  // The finding that came with it, where reached_invalid(); null: a launch that does not end.
  const Found* obstacle(const Goal& goal) const;
  bool all_reached() const; // outcomes
  bool all_killed() const;
  const std::map<std::pair<std::string, unsigned>, Found>& found() const { return found_; }
  std::uint64_t endless() const { return endless_; }
  bool out_of_time() const { return until_.over(); }
  double seconds() const;
  void tell(const char* doing); // Report, ten times a second at most

  // Memory grows until nothing is out of bounds; nullopt: it does not help.
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
  Input next();
  void keep_near(const Input& input, const Checked& checked);
  void handle(const Input& input, const Outcome& outcome);
  bool grow(Input& input, const Outcome& outcome);
  void made_progress();
  void take(const Input& input, const Outcome& outcome, bool weak);
  void take_invalid(const Input& input, const Outcome& outcome, const Found* found);
  const Found* note(const Checked& checked, const Input& input);
  Input seed();
  const Entry& pick();

  const Target& target_;
  const Constraints& constraints_;
  std::vector<Goal> goals_;
  Kills* kills_;
  bool hunting_ = false; // for mutants
  bool tying_ = false;   // each input that reaches something is checked
  struct Near {
    Input input;
    std::size_t faults; // findings of the checks
  };
  std::vector<Near> near_; // while tying: those with the fewest faults come first
  Mutator& mutator_;
  Worker& worker_;
  Deadline until_{};
  Report report_;
  Watch watch_{};
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point told_{};

  std::vector<std::uint32_t> interesting_; // bits of all sites and mutants
  std::vector<std::uint32_t> reached_, reached_invalid_;
  std::map<unsigned, std::pair<std::string, unsigned>> obstacles_; // by bit: key in found_
  std::map<unsigned, std::uint64_t> refused_;                      // by bit: how often
  std::vector<Entry> corpus_;
  std::vector<Input> valid_;
  std::vector<Outcome> outcomes_;
  std::vector<bool> weak_;
  std::vector<std::pair<Input, unsigned>> again_; // whose memory has grown, how often
  std::map<std::pair<std::string, unsigned>, Found> found_;
  std::uint64_t endless_ = 0;
  std::uint64_t last_progress_ = 0, lost_since_ = 0; // launches; what endless ones stand for
  std::size_t seeds_ = 0;
  unsigned grown_ = 0; // of the input that is being handled: how often
};

} // namespace gputest::testgen
