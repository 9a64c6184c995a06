// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The summary that GitHub's CI shows of a step.
#pragma once

#include <string>

namespace gputest::driver {

// Writes Markdown to the file that GITHUB_STEP_SUMMARY names, in the place of what an earlier call
// wrote there, so that one step may make several reports. Does nothing without the variable. Throws
// model::WriteError.
void write_job_summary(const std::string& markdown);

} // namespace gputest::driver
