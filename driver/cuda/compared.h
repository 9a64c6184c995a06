// `gputest-passes cuda-compare`: what `gputest run-cuda` asks for about survivors of a source that
// has too many mutants to compare all of them while it is compiled.
#pragma once

namespace gputest::driver {

int cuda_compare_command(int argc, char** argv);

} // namespace gputest::driver
