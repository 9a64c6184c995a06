#pragma once

namespace gputest::driver {

// gputest harness: docs/command-line.md.
int harness_command(int argc, char** argv);

} // namespace gputest::driver
