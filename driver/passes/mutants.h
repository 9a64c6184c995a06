#pragma once

namespace gputest::driver {

// gputest mutants, gputest show: docs/command-line.md.
int mutants_command(int argc, char** argv);
int show_command(int argc, char** argv);

} // namespace gputest::driver
