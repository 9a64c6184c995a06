// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes an input as a test case: with a name, the outputs to expect, and a note if the case is
// weak.
#pragma once

#include "testgen/generation/generate.h"

#include <string>
#include <vector>

namespace gputest::testgen {

// Returns those of a case with the input, which was checked and is valid.
CaseRisks risks_of(const Target& target, Worker& worker, const Input& input,
                   const Checked& checked);

class CaseWriter {
public:
  CaseWriter(const Target& target, const Constraints& constraints, const Settings& settings)
      : target_(target), constraints_(constraints), settings_(settings) {}

  // Writes the case to the folder Settings::output. `reason`: the goals that the case is for, at
  // least one. Records no outputs if the worker's deadline has passed. Throws std::runtime_error if
  // the file cannot be written.
  Written write(Worker& worker, const Input& input, const std::vector<Goal>& reason) const;

private:
  std::string name_for(const std::vector<Goal>& goals, const std::vector<Goal>& kills) const;
  // Returns whether an output depends on the order of work-items.
  bool record(Worker& worker, const Input& input, const Checked& checked, CaseText& text) const;

  const Target& target_;
  const Constraints& constraints_;
  const Settings& settings_;
};

} // namespace gputest::testgen
