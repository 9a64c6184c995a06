#pragma once

namespace gputest::driver {

// gputest instrument: docs/command-line.md.
int instrument_command(int argc, char** argv);

} // namespace gputest::driver
