// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of programs under test: a row for each. `gputest run` finds the row by the program's
// file.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace gputest::program {

struct ProgramKind {
  std::string_view name;  // "opencl"
  std::string_view title; // "OpenCL", for messages
  // Returns whether the file is a program of this kind. nullptr: every file that is of no other.
  bool (*recognises)(const std::filesystem::path& executable) = nullptr;
};

std::span<const ProgramKind> program_kinds();

// Returns the row of the program.
const ProgramKind& kind_of(const std::filesystem::path& executable);
// Returns the row with this name, which must exist.
const ProgramKind& kind_named(std::string_view name);

// Returns whether the file is an ELF program with device code for CUDA, or one that needs CUDA's
// libraries.
bool is_cuda_program(const std::filesystem::path& executable);

} // namespace gputest::program
