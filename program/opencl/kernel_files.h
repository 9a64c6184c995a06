// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the files that may hold the text of a program's kernels.
#pragma once

#include "program/task.h"
#include "runtime/variants/run_settings.h"

#include <string>
#include <vector>

namespace gputest::program {

// Sets the files that these patterns name (--kernels). Throws model::SettingError where there is
// none.
void set_named_files(runtime::RunSettings& settings, const std::vector<std::string>& patterns);

// Sets the files in the working directory, and in the folders of the program and of the script that
// it runs. Folders with programs of all kinds are left out.
void set_likely_files(runtime::RunSettings& settings, const ProgramTask& task);

} // namespace gputest::program
