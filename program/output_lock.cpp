// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/output_lock.h"

#include <fmt/format.h>

namespace gputest::program {

OutputLock::OutputLock(const std::filesystem::path& output)
    : lock_(
          output / "run.lock",
          [&output] {
            fmt::print(stderr, "note: another command works in {}: this one waits for its end\n",
                       output.string());
          },
          true) {}

} // namespace gputest::program
