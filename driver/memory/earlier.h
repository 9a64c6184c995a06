// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel as a commit has it, to compare its cycles with those of today.
#pragma once

#include "memory/kernel.h"
#include "process/scratch_folder.h"

#include <memory>
#include <string>

namespace gputest::driver {

class EarlierKernel {
public:
  // Reads the file of `source` from the commit. Files that it includes are those of today. Throws
  // CommandError if there is no such commit, if it does not have the file, or if what it has cannot
  // be compiled.
  EarlierKernel(frontend::SourceOptions source, const std::string& kernel, std::string commit);

  // Returns the launches of the same cases. Throws CommandError if the kernel cannot get them.
  std::vector<memory::NamedLaunch> launches(const std::vector<std::filesystem::path>& files,
                                            const memory::LaunchDefaults& defaults) const;
  const memory::Tracer& tracer() const { return *tracer_; }
  const std::string& commit() const { return commit_; }

private:
  std::string commit_;
  process::ScratchFolder folder_{"gputest-earlier"};
  memory::Kernel kernel_;
  std::unique_ptr<memory::Tracer> tracer_;
};

} // namespace gputest::driver
