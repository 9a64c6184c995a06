// `gputest-passes cuda`: makes the variants of a file whose device code is measured. gputest-cuda
// starts it while it compiles the file.
#pragma once

namespace gputest::driver {

int cuda_command(int argc, char** argv);

} // namespace gputest::driver
