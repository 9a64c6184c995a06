// gputest progress: shows how far the tests of a command are, below what it prints.
#pragma once

namespace gputest::driver {

int progress_command(int argc, char** argv);

} // namespace gputest::driver
