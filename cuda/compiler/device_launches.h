// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites launches in device code (kernels that launch kernels), which Clang refuses.
#pragma once

#include "cuda/compiler/command.h"
#include "cuda/compiler/process.h"
#include "frontend/cuda/included_files.h"
#include "frontend/cuda/refused.h"
#include "model/files.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::cuda::compiler {

// Returns the text with each kernel<<<…>>>(…) in a device function as an object of
// include/gputest_cuda/device_launches.h. Lines keep their numbers. The kernel must be a name, with
// scopes. Template arguments that follow from the arguments, and default arguments, are added where
// the text declares the kernel. nullopt: there is no such launch.
std::optional<std::string> with_device_launches(std::string_view text);

// Returns what Clang reads in the place of a source and of the files that it includes from the
// program's folders (`included`): with launches, what nvcc accepts (frontend/cuda/accepted_texts.h,
// special_registers.h), instructions of AMD's (frontend/cuda/amd_assembler.h), headers of
// libraries (mended_headers.h), and what Clang refuses (refused.h). `folders`: those of
// -I. `refused`: what Clang refused in texts that it read before, each after the mending of those
// in front of it.
std::map<std::filesystem::path, std::string>
texts_to_read(const std::vector<frontend::cuda::IncludedFile>& included,
              const std::vector<std::string>& folders,
              const std::vector<frontend::cuda::RefusedPlaces>& refused);

// Returns options that make Clang read these texts. `scratch`: a folder for them.
Arguments read_in_place(const std::map<std::filesystem::path, std::string>& texts,
                        const std::filesystem::path& scratch);

// Returns a function that returns the text that is read as a file; nullopt: there is no such file.
inline auto text_as_read(const std::map<std::filesystem::path, std::string>& texts) {
  return [&texts](const std::string& file) {
    const auto found = texts.find(file);
    return found == texts.end() ? model::read_text(file) : std::optional(found->second);
  };
}

// Returns options that make Clang read the host's copy of a source in its place, under its name, so
// that dependencies and includes stay the same; none where no variant of the command has such a
// copy (variant.h). `scratch` and `refused`: as above.
Arguments host_text_options(const Command& command, const std::filesystem::path& source,
                            const std::filesystem::path& scratch,
                            const std::vector<frontend::cuda::RefusedPlaces>& refused);

} // namespace gputest::cuda::compiler
