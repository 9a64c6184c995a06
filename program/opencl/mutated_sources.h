// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the sources of the kernels that a program launches, and their mutants.
#pragma once

#include "gputest/launch.h"
#include "model/mutation/mutation.h"
#include "program/opencl/mutant_run.h"
#include "program/opencl/repeated_program.h"
#include "program/wanted.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::program {

struct OpenClMutation : RepeatedProgram {
  WantedMutants wanted{};
  std::optional<double> threshold;
  std::filesystem::path judge; // the simulator, for MutantsDiffer; empty: there is none
  bool checks_races = true;
};

// One source, as runs without a mutant show it.
struct MutatedSource {
  std::string stem, name;
  std::vector<std::filesystem::path> folders; // the folders of its variants
  std::map<std::filesystem::path, std::vector<std::uint32_t>> reached; // bits of sites
  std::set<std::string> kernels;                                       // launched
  std::map<std::string, std::vector<Launch>> launches;                 // by kernel, each once
  std::uint64_t launched = 0;                                          // times, in all runs
  std::string device;
};

class MutatedSources {
public:
  // Adds what a run without a mutant recorded.
  void look(const RunRecords& records);

  const std::map<std::string, MutatedSource>& all() const { return sources_; } // by stem
  // Returns the iterations that a mutant's loops may take, by "<stem>.<kernel>".
  std::map<std::string, std::uint32_t> budgets() const;
  // Returns the harm that launches do by themselves and that guards stop, by "<stem>.<kernel>":
  // bits of guards and votes.
  const std::map<std::string, std::vector<std::uint32_t>>& harm() const { return harm_; }
  MutantTables& tables() { return tables_; }

  // Returns the mutants of a source that `settings` selects, with what is known about them before
  // they run. Those that must still run have Verdict::Survived.
  model::Mutation describe(const MutatedSource& source, const OpenClMutation& settings,
                           MutantFilter& filter);

private:
  std::vector<model::Mutant> selected(const MutatedSource& source, const OpenClMutation& settings,
                                      MutantFilter& filter, model::Mutation& mutation);
  bool is_reached(const model::Mutant& mutant, const MutatedSource& source);
  model::MutantResult without_run(const model::Mutant& mutant, const MutatedSource& source,
                                  const std::string& program);

  std::map<std::string, MutatedSource> sources_;
  std::map<std::string, std::uint32_t> iterations_; // by "<stem>.<kernel>"
  std::map<std::string, std::vector<std::uint32_t>> harm_;
  MutantTables tables_;
};

} // namespace gputest::program
