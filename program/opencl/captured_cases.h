// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes captured launches as test cases of gputest_add_kernel.
#pragma once

#include "program/opencl/run_folder.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::program {

// The cases of one kernel, and the values of the keywords of a gputest_add_kernel() for it.
struct CapturedKernel {
  std::string name; // "<stem>.<kernel>", also the beginning of its files' names
  std::string kernel;
  std::filesystem::path source; // the program's own file, or a copy among the cases
  std::vector<std::string> definitions, include_dirs, build_options;
  std::string cl_std;
  std::vector<std::size_t> global_size, local_size; // the sizes of its first case
  std::vector<std::filesystem::path> cases;
};

struct CapturedCases {
  std::vector<CapturedKernel> kernels;
  std::vector<NotMeasured> not_captured;
};

// Writes a file for each distinct launch to `folder`, "<name>.<number>.json", and its larger
// buffers beside it. Outputs are what the kernel's pointers to writable memory held after the
// launch. Writes at most `settings.max_cases` for each kernel. Throws std::runtime_error.
CapturedCases write_cases(const RunRecords& records, const RunSettings& settings,
                          const std::filesystem::path& folder);

// Returns gputest_add_kernel(…) lines for the CMakeLists.txt in `base`, and a comment that names
// this folder. Paths below the folder are relative to it.
std::string cmake_text(const CapturedCases& cases, const std::filesystem::path& base);

} // namespace gputest::program
