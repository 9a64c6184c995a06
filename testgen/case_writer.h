// An input that is worth a test case: its name, the outputs to expect, and what is wrong with it.
#pragma once

#include "testgen/generate.h"

#include <string>
#include <vector>

namespace gputest::testgen {

class CaseWriter {
public:
  CaseWriter(const Target& target, const Constraints& constraints, const Settings& settings)
      : target_(target), constraints_(constraints), settings_(settings) {}

  // Into Settings::output. `reason`: what the case is for, at least one. Where the worker's time is
  // over nothing is recorded. Throws std::runtime_error where the file cannot be written.
  Written write(Worker& worker, const Input& input, const std::vector<Goal>& reason) const;

private:
  std::string name_for(const std::vector<Goal>& goals, const std::vector<Goal>& kills) const;
  void record(Worker& worker, const Input& input, const Checked& checked, CaseText& text) const;

  const Target& target_;
  const Constraints& constraints_;
  const Settings& settings_;
};

} // namespace gputest::testgen
