// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gputest init --vscode`: settings that let editors show and run what GpuTestCheck does.
#pragma once

#include <filesystem>

namespace gputest::driver {

// Writes .vscode/ and .clangd into the folder of a project, and prints what they are for. A file
// that is there stays as it is, and is named. Throws model::WriteError, and CommandError where the
// headers of CUDA are not found.
void write_editor_files(const std::filesystem::path& folder);

} // namespace gputest::driver
