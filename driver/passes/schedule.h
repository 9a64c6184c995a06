// `gputest schedule`: makes the variant of a file whose groups and work-items run in the order that
// they are told.
#pragma once

namespace gputest::driver {

int schedule_command(int argc, char** argv);

} // namespace gputest::driver
