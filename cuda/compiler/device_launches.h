// Launches in device code, which Clang refuses: kernels that launch kernels.
#pragma once

#include "cuda/compiler/process.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace gputest::cuda::compiler {

// The text with each kernel<<<…>>>(…) in a function of the device as an object of
// include/gputest_cuda/device_launches.h, in the same lines; nothing: there is none. The kernel is
// a name, with its scopes and template arguments.
std::optional<std::string> with_device_launches(std::string_view text);

// Options by which Clang reads the source, and what it includes from folders of the program's, with
// such texts, under the names that they have. `folders`: those of -I. `scratch`: for the texts.
Arguments device_launch_options(const std::filesystem::path& source,
                                const std::vector<std::string>& folders,
                                const std::filesystem::path& scratch);

} // namespace gputest::cuda::compiler
