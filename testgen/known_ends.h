// What earlier runs proved, and what they looked for in vain: a kernel that nobody has changed does
// not use up its time again.
#pragma once

#include "testgen/generate.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace gputest::testgen {

// By bit of a goal: why no input reaches it, or none was found.
using Reasons = std::map<unsigned, std::string>;

// Files in the cache (model/files.h), of this build of the program. Where there is none, nothing is
// kept. What cannot be read or written counts as not there.
class KnownEnds {
public:
  KnownEnds(const Target& target, const Settings& settings);

  // Proofs that outcomes are impossible and mutants equivalent. They hold for the kernel, whatever
  // the seed, the time and the cases.
  Reasons proofs() const;
  void keep_proofs(const Reasons& proofs) const;

  // What was not reached, by the same settings and the same solver, in as much time or more, where
  // the cases that are there now were there at the end.
  std::optional<Reasons> given_up(const std::vector<std::filesystem::path>& cases) const;
  void keep_given_up(const Reasons& reasons, const std::vector<std::filesystem::path>& cases) const;

private:
  double seconds_;
  std::filesystem::path proofs_, given_up_; // empty: nothing is kept
};

} // namespace gputest::testgen
