// `gputest schedule`: the variant of a file whose groups and work-items run in the order they are
// told.
#pragma once

namespace gputest::driver {

int schedule_command(int argc, char** argv);

} // namespace gputest::driver
