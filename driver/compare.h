#pragma once

namespace gputest::driver {

// gputest compare RESULT…
int compare_command(int argc, char** argv);

} // namespace gputest::driver
