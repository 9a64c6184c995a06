// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads memory.json files.
#pragma once

#include "model/memory/results.h"
#include "report/common/source.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::report {

struct MemoryKernel {
  model::MemoryResults results;   // the case that loses most is first
  std::filesystem::path folder{}; // folder of the file

  // Returns "add (sum)": the kernel, and the test's name, which is that of the folder, if that is
  // another one.
  std::string label() const;

  // Returns the curve of the results' strategy and those that it was compared with.
  std::vector<model::MemoryCurve> curves() const;
};

struct MemoryReport {
  std::string title;
  std::vector<MemoryKernel> kernels; // in order of name
};

// Reads the files. An empty title is replaced by one made of the kernels' names. Throws FormatError
// if a file cannot be read or does not have the format.
MemoryReport read_memory_report(const std::vector<std::filesystem::path>& files, std::string title);

// Returns "'a' moved by 64 bytes: -3.0 % cycles".
std::string text_of(const model::MemoryWarning::Remedy& remedy);
// Without the diff.
std::string text_of(const model::MemoryPatch& patch);

// Returns a line for each kernel, and its warnings in compiler style.
std::string memory_terminal(const MemoryReport& report);

// One HTML 5 page that needs nothing else: the cases ranked, the warps of the worst one over time,
// and the source with what each line did. `sources`: the text of the kernels' files.
std::string memory_html(const MemoryReport& report, const SourceTree& sources);

// JUnit XML: a suite for each kernel, and a test case for each case. One with warnings fails.
std::string memory_junit(const MemoryReport& report);

// SARIF 2.1.0: warnings, once for each place and kind.
std::string memory_sarif(const MemoryReport& report, const SourceTree& sources);

} // namespace gputest::report
