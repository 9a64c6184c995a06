// gputest run: runs an OpenCL program as it is, under the layer.
#pragma once

namespace gputest::driver {

int run_program_command(int argc, char** argv);

} // namespace gputest::driver
