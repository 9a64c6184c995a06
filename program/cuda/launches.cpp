// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/cuda/launches.h"

#include "model/cuda_environment.h"
#include "model/launches/launch_records.h"
#include "model/text/file_name.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>
#include <utility>

namespace gputest::program {
namespace {

namespace fs = std::filesystem;
using model::KeptLaunch;
using model::RecordedLaunches;

// By file, mangled name and code: those with most threads first, and of equal ones the first.
using LaunchesOfKernels =
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<RecordedLaunches>>;

LaunchesOfKernels by_kernel(std::vector<RecordedLaunches> all) {
  LaunchesOfKernels kernels;
  for (RecordedLaunches& one : all) {
    const KeptLaunch& launch = one.launch;
    kernels[{launch.file, launch.mangled, launch.code_digest}].push_back(std::move(one));
  }
  for (auto& [key, launches] : kernels)
    std::ranges::stable_sort(launches, {}, [](const RecordedLaunches& one) {
      return std::pair(~one.launch.threads(), one.launch.number);
    });
  return kernels;
}

// Gives the launch a name, and moves its files to the folder. Returns its own file.
fs::path take(KeptLaunch launch, const fs::path& from, const std::string& name,
              const fs::path& folder) {
  fs::path file = folder / (name + ".json");
  if (launch.before) {
    const fs::path before = from.parent_path() / *launch.before;
    launch.before =
        take(model::read_kept_launch(before), before, name + ".before", folder).filename();
  }
  launch.name = name;
  fs::rename(from.parent_path() / launch.contents, folder / (name + ".bytes"));
  launch.contents = name + ".bytes";
  fs::copy_file(from.parent_path() / launch.code, folder / launch.code,
                fs::copy_options::skip_existing);
  model::write_kept_launch(file, launch);
  return file;
}

// Returns "2 launches are left out: it failed: …" for each reason, in order of the launches.
std::vector<std::string> left_out_of(const std::vector<RecordedLaunches>& launches) {
  std::vector<std::pair<std::string, std::uint64_t>> reasons;
  for (const RecordedLaunches& one : launches) {
    if (!one.launch.left_out)
      continue;
    auto known = std::ranges::find(reasons, *one.launch.left_out,
                                   &std::pair<std::string, std::uint64_t>::first);
    if (known == reasons.end())
      known = reasons.insert(known, {*one.launch.left_out, 0});
    known->second += one.launches;
  }
  std::vector<std::string> texts;
  for (const auto& [reason, count] : reasons)
    texts.push_back(fmt::format("{} left out: {}",
                                count == 1 ? "a launch is" : fmt::format("{} launches are", count),
                                reason));
  return texts;
}

} // namespace

ChildResult CudaLaunches::run(const ChildSettings& child, const MemorySettings& settings) {
  launches_ = settings.launches;
  return run_(child, [&]() -> std::map<std::string, std::string> {
    model::LaunchRecords(records_).prepare();
    return {{model::kKeptLaunches,
             fmt::format("{} {} {} {} {}", model::kKeptLaunchesVersion, settings.launches,
                         settings.max_bytes, model::name_of(settings.caches),
                         fs::absolute(records_).string())}};
  });
}

ProgramLaunches CudaLaunches::read(const JudgedRun& run, const fs::path& folder) {
  fs::create_directories(folder);
  const model::LaunchRecords records(records_);
  ProgramLaunches launches;
  launches.unwritten = records.given_up();
  std::set<std::string> names;
  for (const auto& [key, all] : by_kernel(records.read())) {
    const KeptLaunch& first = all.front().launch;
    const std::string wanted =
        model::file_name_of(fs::path(first.file).stem().string() + "." + first.kernel);
    std::string name = wanted;
    for (unsigned number = 2; !names.insert(name).second; ++number) // overloads, and other code
      name = fmt::format("{}-{}", wanted, number);
    KeptKernel kernel{.folder = name, .words = {"--source-root", root_.string()}};
    for (const RecordedLaunches& one : all)
      if (!one.launch.left_out && kernel.launches < launches_) {
        const std::string of_launch = fmt::format("{}.{}", name, ++kernel.launches);
        kernel.words.insert(kernel.words.end(),
                            {"--launch", take(one.launch, one.file, of_launch, folder).string()});
      }
    for (std::string& reason : left_out_of(all))
      launches.not_measured.push_back({"", name, std::move(reason)});
    if (kernel.launches > 0)
      launches.kernels.push_back(std::move(kernel));
  }
  fs::remove_all(records_);
  if (launches.kernels.empty())
    launches.nothing =
        !run.passes() ? "it failed: " + run.problem
        : launches.not_measured.empty() && !launches.unwritten
            ? "it launched no kernel in the simulator: is it built with gputest-cuda (cmake "
              "--toolchain gputest-cuda.cmake) of this version?"
            : "it launched none that could be kept";
  return launches;
}

} // namespace gputest::program
