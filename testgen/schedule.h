// How generation divides its time.
#pragma once

namespace gputest::testgen {

// When each stage ends at the latest, as shares of the time that compiling leaves; of compiling
// mutants, of all of it. Outcomes come before mutants, so that hunting these leaves time for
// proofs, and everything before cases are chosen, shrunk and written.
struct Schedule {
  double compiling_mutants, known, fuzzing, proving_outcomes, solving, hunting, proving, all;
};
inline constexpr Schedule kOutcomesAlone{.compiling_mutants = 0,
                                         .known = 0.3,
                                         .fuzzing = 0.4,
                                         .proving_outcomes = 0.5,
                                         .solving = 0.7,
                                         .hunting = 0,
                                         .proving = 0,
                                         .all = 0.8};
inline constexpr Schedule kWithMutants{.compiling_mutants = 0.4,
                                       .known = 0.25,
                                       .fuzzing = 0.3,
                                       .proving_outcomes = 0.36,
                                       .solving = 0.52,
                                       .hunting = 0.67,
                                       .proving = 0.74,
                                       .all = 0.82};
inline constexpr double kShrinking = 0.9;

} // namespace gputest::testgen
