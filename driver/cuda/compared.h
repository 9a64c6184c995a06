// `gputest-passes cuda-compare`: compares the survivors of a source that has too many mutants to
// compare all of them while it is compiled. `gputest run-cuda` starts it.
#pragma once

namespace gputest::driver {

int cuda_compare_command(int argc, char** argv);

} // namespace gputest::driver
