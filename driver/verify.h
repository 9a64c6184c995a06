// gputest verify: checks that mutants in the combined kernel get the verdicts that they get alone;
// docs/command-line.md.
#pragma once

namespace gputest::driver {

int verify_command(int argc, char** argv);

} // namespace gputest::driver
