#pragma once

namespace gputest::driver {

// gputest verify: docs/command-line.md.
int verify_command(int argc, char** argv);

} // namespace gputest::driver
