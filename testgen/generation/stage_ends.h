// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divides the time of generation among its stages.
#pragma once

namespace gputest::testgen {

// The latest end of each stage, as a share of the time that is left after compiling;
// `compiling_mutants` is a share of the whole time. Outcomes come before mutants, and hunting
// mutants leaves time for proofs. `all` is the end of the search; choosing, shrinking and writing
// cases follow.
struct StageEnds {
  double compiling_mutants, known, fuzzing, proving_outcomes, solving, hunting, proving, all;
};
inline constexpr StageEnds kOutcomesAlone{.compiling_mutants = 0,
                                          .known = 0.3,
                                          .fuzzing = 0.4,
                                          .proving_outcomes = 0.5,
                                          .solving = 0.7,
                                          .hunting = 0,
                                          .proving = 0,
                                          .all = 0.8};
inline constexpr StageEnds kWithMutants{.compiling_mutants = 0.4,
                                        .known = 0.25,
                                        .fuzzing = 0.3,
                                        .proving_outcomes = 0.36,
                                        .solving = 0.52,
                                        .hunting = 0.67,
                                        .proving = 0.74,
                                        .all = 0.82};
// The latest end of shrinking.
inline constexpr double kShrinking = 0.9;

} // namespace gputest::testgen
