// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gputest init`: a project, or the lines for one, for kernels that have no tests yet.
#pragma once

namespace gputest::driver {

// Returns an exit code; throws as run_command() expects.
int init(int argc, char** argv);

} // namespace gputest::driver
