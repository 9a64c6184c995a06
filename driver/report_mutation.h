// `gputest report` where the results are of mutation testing.
#pragma once

#include "driver/command_error.h"

#include <cxxopts.hpp>
#include <filesystem>
#include <optional>
#include <vector>

namespace gputest::driver {

ExitCode report_mutation(const cxxopts::ParseResult& arguments,
                         const std::vector<std::filesystem::path>& files);

// --threshold. Throws CommandError.
std::optional<double> mutation_threshold(const cxxopts::ParseResult& arguments);

} // namespace gputest::driver
