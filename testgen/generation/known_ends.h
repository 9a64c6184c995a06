// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps what earlier runs proved, and what they could not reach, so that an unchanged kernel need
// not use up its time again.
#pragma once

#include "testgen/generation/generate.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace gputest::testgen {

// What is told where nothing is kept as given up: on another machine, a launch may go on.
inline constexpr const char* kLateLaunch =
    "a launch took so much time that it was ended, so another run may find more";

// By bit of a goal: why no input reaches it, or why none was found.
using Reasons = std::map<unsigned, std::string>;

// Files in the cache (model/files.h), for this build of the program. Without a cache, nothing is
// kept. A file that cannot be read or written counts as missing.
class KnownEnds {
public:
  // `offsets`: launches may have a global offset (has_offsets()).
  KnownEnds(const Target& target, const Settings& settings, bool offsets);

  // Proofs that outcomes are impossible or mutants equivalent. They hold for the kernel with any
  // seed, time and cases, as far as `offsets` is the same.
  Reasons proofs() const;
  void keep_proofs(const Reasons& proofs) const;

  // Returns the goals that a run with the same settings, solver and cases did not reach in about as
  // much time or more. nullopt: there was no such run. `cases`: those that exist now; the run ended
  // with the same.
  std::optional<Reasons> given_up(const std::vector<std::filesystem::path>& cases) const;
  void keep_given_up(const Reasons& reasons, const std::vector<std::filesystem::path>& cases) const;

private:
  double seconds_;
  std::filesystem::path proofs_, given_up_; // empty: nothing is kept
};

} // namespace gputest::testgen
