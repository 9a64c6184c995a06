// gputest report FILE…: merges coverage.json files and reports; docs/command-line.md.
#pragma once

namespace gputest::driver {

// argv[0] is the subcommand. Returns 0, or 2 after a message on stderr when the arguments or the
// input are wrong or an output cannot be written.
int report_command(int argc, char** argv);

} // namespace gputest::driver
