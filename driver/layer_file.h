// Where the ICD-loader layer is.
#pragma once

#include <filesystem>

namespace gputest::driver {

// The environment variable GPUTEST_LAYER, else the library beside this command (in a build folder)
// or in the library folder of the installation. Throws CommandError naming the places.
std::filesystem::path layer_file();

// This executable.
std::filesystem::path own_file();

} // namespace gputest::driver
