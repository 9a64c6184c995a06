// Where the files are that belong to this command: the ICD-loader layer and the simulator.
#pragma once

#include <filesystem>

namespace gputest::driver {

// The environment variable GPUTEST_LAYER, else the library beside this command (in a build folder)
// or in the library folder of the installation. Throws CommandError naming the places.
std::filesystem::path layer_file();

// The environment variable GPUTEST_SIMULATOR, else gputest-simulator beside this command; it may
// not be there.
std::filesystem::path place_of_simulator();
// The same; throws CommandError naming the place where it is not there.
std::filesystem::path simulator_file();

// This executable.
std::filesystem::path own_file();

} // namespace gputest::driver
