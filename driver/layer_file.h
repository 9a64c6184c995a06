// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the files that belong to this command: the ICD-loader layer and the simulator.
#pragma once

#include <filesystem>

namespace gputest::driver {

// Returns GPUTEST_LAYER, else the library beside this command (in a build folder) or in the library
// folder of the installation. Throws CommandError naming the places.
std::filesystem::path layer_file();

// Returns GPUTEST_SIMULATOR, else gputest-simulator beside this command. The file need not exist.
std::filesystem::path place_of_simulator();
// Returns place_of_simulator(). Throws CommandError, which names the place, if there is no file.
std::filesystem::path simulator_file();

// Returns the path of this executable.
std::filesystem::path own_file();

} // namespace gputest::driver
