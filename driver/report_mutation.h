// `gputest report` where the results are of mutation testing.
#pragma once

#include "driver/command_error.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <vector>

namespace gputest::driver {

ExitCode report_mutation(const cxxopts::ParseResult& arguments,
                         const std::vector<std::filesystem::path>& files);

} // namespace gputest::driver
