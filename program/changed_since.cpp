// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/changed_since.h"

#include "gputest/error.h"
#include "model/settings.h"

namespace gputest::program {

bool ChangedSince::has(const model::Mutant& mutant) {
  if (ref_.empty())
    return true;
  const std::filesystem::path file = root_ / mutant.file; // an absolute name stays what it is
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    return true;
  try {
    if (asked_.insert(mutant.file).second)
      changed_.merge(runtime::changed_lines({{mutant.file, file}}, ref_));
  } catch (const UsageError& error_of_git) {
    throw model::SettingError(error_of_git.what());
  }
  return runtime::is_changed(mutant, changed_);
}

} // namespace gputest::program
