// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One of two kernels that are compared, with what makes inputs for it and runs them.
#pragma once

#include "testgen/directed/director.h"
#include "testgen/inference.h"
#include "testgen/input_search.h"
#include "testgen/kills.h"
#include "testgen/session.h"

#include <functional>
#include <memory>
#include <optional>

namespace gputest::testgen {

class Side {
public:
  // `settings`: which inputs there are. `shapes`: the launches, if the settings say nothing of
  // them; empty: any. `limit`: of a launch. Compiles. References must outlive the side. Throws
  // ExpressionError and what compiling throws.
  Side(const Target& target, const InputSettings& settings, const std::vector<Shape>& shapes,
       LaunchLimit limit, const InputSearch::Report& report);
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  // Compiles mutants for hunt(); leaves them out if that takes until `until`.
  void add_mutants(std::shared_ptr<const MutantProgram> mutants, Deadline until);

  // Infers the sizes of memory that have no constraint.
  void infer();

  // Look for inputs until `until`: for the outcomes of the kernel by fuzzing, for those that are
  // left by the solver, and for mutants. Each input that ran is given to the search's watch.
  void fuzz(std::uint64_t without_progress);
  void solve(Deadline until);
  void hunt(std::uint64_t without_progress, Deadline until);

  // For all functions above, and what runs in their place.
  void set_deadline(Deadline until);

  // Gives the memory of an input that has no counterpart in the other kernel, which `is_own` says
  // by argument, the size that the kernel needs.
  void fit_own_memory(Input& input, const std::function<bool(std::size_t)>& is_own);

  std::size_t reached() const;
  std::size_t killed() const; // mutants
  std::size_t mutants() const;

  Target target;
  Constraints constraints;
  CompiledKernel compiled;
  Kernels kernels;
  Worker worker;
  Mutator mutator;
  std::vector<Goal> goals; // outcomes
  std::optional<Kills> kills;
  InputSearch search;
  Inferred inferred;

private:
  // Asks the solver about those that are not reached.
  void ask_about(const std::vector<Goal>& wanted, Deadline until, const char* doing);

  std::optional<Director> director_;
};

} // namespace gputest::testgen
