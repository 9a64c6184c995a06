// `gputest watch`: builds and tests again whatever depends on a file that is saved.
#pragma once

namespace gputest::driver {

int watch_command(int argc, char** argv);

} // namespace gputest::driver
