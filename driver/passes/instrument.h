// gputest instrument: makes the variant that records coverage; docs/command-line.md.
#pragma once

namespace gputest::driver {

int instrument_command(int argc, char** argv);

} // namespace gputest::driver
