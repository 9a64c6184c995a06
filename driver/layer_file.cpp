// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/layer_file.h"

#include "driver/command_error.h"

#include <cstdlib>
#include <fmt/format.h>
#include <vector>

namespace gputest::driver {
namespace fs = std::filesystem;

fs::path own_file() {
  return fs::read_symlink("/proc/self/exe");
}

fs::path layer_file() {
  std::vector<fs::path> places;
  if (const char* named = std::getenv("GPUTEST_LAYER"); named && *named)
    places.emplace_back(fs::absolute(named));
  else
    places = {own_file().parent_path() / GPUTEST_LAYER_NAME,
              (own_file().parent_path() / GPUTEST_LAYER_INSTALLED).lexically_normal()};
  std::string searched;
  for (const fs::path& place : places) {
    if (fs::is_regular_file(place))
      return place;
    searched += "\n  " + place.string();
  }
  throw CommandError(fmt::format("error: the OpenCL layer is not there; looked for:{}\nset the "
                                 "environment variable GPUTEST_LAYER to its path",
                                 searched),
                     Internal);
}

fs::path place_of_simulator() {
  const char* const named = std::getenv("GPUTEST_SIMULATOR");
  return named && *named ? fs::absolute(named) : own_file().parent_path() / "gputest-simulator";
}

fs::path simulator_file() {
  fs::path place = place_of_simulator();
  if (!fs::is_regular_file(place))
    throw CommandError(fmt::format("error: {} is not the simulator; set the environment variable "
                                   "GPUTEST_SIMULATOR to the path of gputest-simulator",
                                   place.string()),
                       Internal);
  return place;
}

} // namespace gputest::driver
