// gputest describe: writes what the host must know about kernels; docs/command-line.md.
#pragma once

namespace gputest::driver {

int describe_command(int argc, char** argv);

} // namespace gputest::driver
