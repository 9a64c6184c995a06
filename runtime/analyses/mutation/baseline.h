// What the original makes of the test cases: what its mutants are measured by.
#pragma once

#include "runtime/analyses/mutation/oracle.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gputest::runtime {

struct CaseBaseline {
  std::string content;       // hash of the case: arguments, sizes, expected outputs, tolerance
  std::string problem;       // empty: the original passes
  std::string wrong;         // what mutants.cl computes without a mutant, and the original does not
  bool deterministic = true; // its runs left the same outputs
  std::vector<std::uint32_t> reached; // bits of sites
  std::vector<std::uint32_t> harm;    // bits of guards and votes that stop it; empty: none
  std::uint32_t iterations = 0;       // the most loop iterations of a work-item
  double seconds = 0;                 // the slowest run, its transfers included
  double first_seconds = 0;           // the first run, for which the device may compile
  std::vector<ExpectedOutput> outputs;

  bool is_sound() const { return problem.empty() && wrong.empty(); }
};

// For `runs` runs of a mutant. `compiles`: the device may have to compile for it. `work`: so many
// times as much there may be to do (work_factor()).
double time_limit(const CaseBaseline& baseline, double factor, unsigned runs, bool compiles,
                  std::uint64_t work);

// "content" of a case. `program`: what else judges it; may be empty.
std::string content_of(const BoundCase& test_case, const std::vector<ExpectedOutput>& outputs,
                       const std::string& program = "");

// Memory that outlives the process that wrote to it: handed from a worker to those forked later.
class BaselineMemory {
public:
  // Throws DeviceError.
  BaselineMemory();
  BaselineMemory(const BaselineMemory&) = delete;
  BaselineMemory& operator=(const BaselineMemory&) = delete;
  ~BaselineMemory();

  void save(std::span<const CaseBaseline> cases) const;
  std::vector<CaseBaseline> load() const;

private:
  int descriptor_ = -1;
};

} // namespace gputest::runtime
