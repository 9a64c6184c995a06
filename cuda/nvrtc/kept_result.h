// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compilation of NVRTC gave, kept in the cache: programs compile the same sources each time
// that they start.
#pragma once

#include "model/cache.h"

namespace gputest::cuda::nvrtc {

struct Result {
  std::string image, log;
  std::vector<std::string> lowered; // of the name expressions, in their order
};

// The results of one program with one set of options, one for each state that the files have had
// which it includes.
class KeptResults {
public:
  // `parts`: all that decides what is compiled, but for the content of other files.
  explicit KeptResults(const std::vector<std::string>& parts);

  std::optional<Result> find() const;
  // `files`: what the source includes, but for the headers that the program gave as texts.
  // `begin`: of the compilation.
  void keep(const Result& result, const std::vector<std::string>& files,
            std::filesystem::file_time_type begin) const;

private:
  std::string parts_;
  std::optional<model::MadeOfFiles> results_; // nullopt: nothing is kept
};

} // namespace gputest::cuda::nvrtc
