// How the simulator is to run launches, and what it finds; docs/simulator.md.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace gputest::runtime {

struct Simulation {
  std::string groups = "ascending", items = "ascending"; // or "descending", "random"
  std::uint64_t seed = 1;                                // of random orders
  std::vector<std::string> checks{}; // "races", "barriers", …; none: the kernel as it is
  double limit = 0;                  // seconds for a launch; 0: any
};

// All that --check means without a list.
std::vector<std::string> default_checks();

// Reads "races,bounds"; empty: default_checks(). Throws UsageError for unknown words.
std::vector<std::string> parse_checks(const std::string& list);

// Something that a kernel did and no kernel may do.
struct SimulatorFinding {
  std::string kind, file, message;
  unsigned line = 0, column = 0; // line 0: not known
  std::string other_file;        // of a race: where the other access is
  unsigned other_line = 0, other_column = 0;
  std::uint64_t count = 1;
  bool fatal = false; // the launch ended there
};

// "k.cl:3:5: error: …": editors jump there.
std::string text_of(const SimulatorFinding& finding);

// As the simulator, workers and check.json say it: all but whether it was fatal.
nlohmann::ordered_json to_json(const SimulatorFinding& finding);
SimulatorFinding finding_from_json(const nlohmann::ordered_json& json);

} // namespace gputest::runtime
