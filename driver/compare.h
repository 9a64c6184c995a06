// gputest compare FOLDER…: compares the results of one kernel on several devices.
#pragma once

namespace gputest::driver {

int compare_command(int argc, char** argv);

} // namespace gputest::driver
