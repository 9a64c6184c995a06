#pragma once

namespace gputest::driver {

// gputest describe: docs/command-line.md.
int describe_command(int argc, char** argv);

} // namespace gputest::driver
