// gputest mutants: makes the mutants of a file. gputest show: shows one. docs/command-line.md.
#pragma once

namespace gputest::driver {

int mutants_command(int argc, char** argv);
int show_command(int argc, char** argv);

} // namespace gputest::driver
