// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The outcomes of mutants of a CUDA program, in a store. An interrupted run continues where it
// stopped, and what has not changed does not run again.
#pragma once

#include "driver/cuda/run.h"
#include "model/mutation/mutation.h"
#include "store/store.h"

#include <map>
#include <string>
#include <utility>

namespace gputest::driver {

class CudaOutcomes {
public:
  // Opens the store, a file. Outcomes hold for the same command, device and TIMEOUT_FACTOR, and for
  // the same contents of files: those that the command names, and the program and libraries that
  // have left `records`. For the system's files, size and time stand for the contents. `fresh`: no
  // outcome is known. Throws store::StoreError.
  CudaOutcomes(const CudaRun& run, const std::filesystem::path& store,
               const std::filesystem::path& records, double timeout_factor, bool fresh);

  // Returns whether the outcome of the mutant was known, and then sets it in `result`.
  bool take(model::MutantResult& result) const;
  void put(const model::MutantResult& result);

private:
  std::string program_;
  store::Store store_;
  std::map<std::pair<std::string, std::string>, store::Outcome>
      known_; // by the hash of the file's name, and id
};

} // namespace gputest::driver
