// gputest merge: joins stores of results; docs/command-line.md.
#pragma once

namespace gputest::driver {

int merge_command(int argc, char** argv);

} // namespace gputest::driver
