#pragma once

namespace gputest::driver {

// gputest merge: docs/command-line.md.
int merge_command(int argc, char** argv);

} // namespace gputest::driver
