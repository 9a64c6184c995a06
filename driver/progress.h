// gputest progress: shows, below what a command prints, how far the tests are that it runs.
#pragma once

namespace gputest::driver {

int progress_command(int argc, char** argv);

} // namespace gputest::driver
