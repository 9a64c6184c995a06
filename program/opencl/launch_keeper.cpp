// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/opencl/launch_keeper.h"

#include "program/opencl/captured_cases.h"
#include "program/opencl/no_device.h"

#include <algorithm>
#include <functional>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;

std::size_t work_items(const RecordedLaunch& launch) {
  std::size_t items = 1;
  for (const std::size_t size : launch.global_size)
    items *= size;
  return items;
}

// Returns words for `gputest memory`, which then reads the source as the program's compiler did.
std::vector<std::string> words_of(const CapturedKernel& kernel, const fs::path& source_root) {
  std::vector<std::string> words{kernel.source.string(), "--kernel", kernel.kernel, "--source-root",
                                 source_root.string()};
  for (const std::string& definition : kernel.definitions)
    words.insert(words.end(), {"-D", definition});
  for (const std::string& folder : kernel.include_dirs)
    words.insert(words.end(), {"-I", folder});
  if (!kernel.cl_std.empty())
    words.insert(words.end(), {"--cl-std", kernel.cl_std});
  for (const fs::path& one : kernel.cases)
    words.insert(words.end(), {"--case", one.string()});
  return words;
}

} // namespace

ChildResult OpenClLaunches::run(const ChildSettings& child, const MemorySettings& settings) {
  settings_.measure = "launches";
  settings_.max_cases = settings.launches;
  settings_.max_bytes = settings.max_bytes;
  settings_.largest = true;
  ChildSettings under = child;
  for (const auto& [name, value] : layer_)
    under.environment[name] = value;
  return run_recorded(under, run_folder_, settings_);
}

ProgramLaunches OpenClLaunches::read(const JudgedRun& run, const fs::path& folder) {
  RunRecords records = read_run_folder(run_folder_);
  std::ranges::stable_sort(records.launches, std::greater{}, work_items);
  const CapturedCases cases = write_cases(records, settings_, folder);
  fs::remove_all(run_folder_); // it has all buffers twice
  ProgramLaunches launches{.not_measured = cases.not_captured};
  for (const CapturedKernel& kernel : cases.kernels)
    if (!kernel.cases.empty())
      launches.kernels.push_back({.folder = kernel.name,
                                  .words = words_of(kernel, settings_.source_root),
                                  .launches = kernel.cases.size()});
  if (launches.kernels.empty()) {
    launches.nothing = records.no_device || records.programs.empty()
                           ? why_nothing(records, own_)
                           : "it launched none that could be kept";
    launches.skipped = is_skipped(run.result, records);
  }
  return launches;
}

} // namespace gputest::program
