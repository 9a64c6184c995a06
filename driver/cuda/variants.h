// `gputest-passes cuda`: what gputest-cuda asks for while it compiles a file whose device code is
// measured.
#pragma once

namespace gputest::driver {

int cuda_command(int argc, char** argv);

} // namespace gputest::driver
