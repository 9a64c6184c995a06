// `gputest replay`: runs a test case once more under the schedule of a file.
#pragma once

namespace gputest::driver {

int replay_command(int argc, char** argv);

} // namespace gputest::driver
