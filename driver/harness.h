// gputest harness: generates a host program; docs/command-line.md.
#pragma once

namespace gputest::driver {

int harness_command(int argc, char** argv);

} // namespace gputest::driver
