// Mutation testing of a whole program: it is run once for each mutant of its kernels.
//
// Two oracles, told apart. The program notices a mutant: it fails, dies or hangs. What it reads
// back from the device differs: every piece is hashed and compared with that of runs without a
// mutant. Where the second says so and the first does not, the program sees wrong results and has
// no check that finds them: a weak oracle.
#pragma once

#include "model/mutation.h"
#include "program/repeated_program.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gputest::program {

struct MutationSettings : RepeatedProgram {
  std::filesystem::path output;
  std::vector<std::string> operators; // names, in the order of model/operators.h
  std::vector<std::string> mutants;   // ids; empty: all
  std::optional<unsigned> sample;
  std::optional<double> threshold;
  bool fresh = false;          // what the store knows is found out anew
  std::filesystem::path store; // results.db
};

struct ProgramMutation {
  std::vector<model::Mutation> sources; // one for each source with mutants
  std::vector<NotMeasured> not_measured;
  std::vector<const model::MutantResult*> weak; // survivors whose results differed; in `sources`
  std::size_t reads = 0, varying = 0; // pieces read back; of these, those that vary by themselves
  bool skipped = false;               // the program says that there is no device
};

// `progress` is told after each mutant. Verdicts are in the store before the next is begun. Throws
// BaselineFailed, store::StoreError, std::runtime_error.
ProgramMutation
run_mutants(const MutationSettings& settings,
            const std::function<void(std::size_t total, const model::MutantResult&)>& progress);

} // namespace gputest::program
