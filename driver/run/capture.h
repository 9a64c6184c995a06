// gputest capture: writes launches of a program as test cases of its kernels.
#pragma once

namespace gputest::driver {

int capture_command(int argc, char** argv);

} // namespace gputest::driver
