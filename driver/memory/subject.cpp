// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/memory/subject.h"

#include "driver/command_error.h"
#include "driver/lock_step_option.h"
#include "driver/source_arguments.h"
#include "memory/kept_launch.h"
#include "model/language.h"
#include "model/launches/kept_launch.h"

#include <array>
#include <fmt/format.h>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

// Options that say something about a file and its cases, which a launch of a program says itself.
constexpr std::array kOfFiles{"source",        "kernel",      "case",       "strategy",
                              "argument",      "global-size", "local-size", "global-offset",
                              "lock-step",     "shard",       "take",       "not-slower-than",
                              "shared-memory", "cl-std"};

std::size_t shared_memory_of(const cxxopts::ParseResult& arguments, const memory::Kernel& kernel) {
  if (arguments.count("shared-memory") && !model::row_of(kernel.language()).has_shared_memory)
    throw CommandError(
        fmt::format("error: --shared-memory is for CUDA C++, and {} is OpenCL C", kernel.file));
  return whole_option(arguments, "shared-memory", model::kSharedBytes);
}

std::vector<std::filesystem::path> files_of(const cxxopts::ParseResult& arguments,
                                            const char* option) {
  std::vector<std::filesystem::path> files;
  for (const std::string& file : list_of(arguments, option))
    files.emplace_back(file);
  return files;
}

model::Caches caches_option(const cxxopts::ParseResult& arguments) {
  const auto name = arguments["caches"].as<std::string>();
  if (const auto caches = model::named<model::Caches>(name))
    return *caches;
  throw CommandError(fmt::format("error: --caches '{}' is none of cold, warm", name));
}

MemorySubject kept_subject(const cxxopts::ParseResult& arguments, const memory::Gpu& gpu) {
  memory::KeptLaunches kept = memory::kept_launches(files_of(arguments, "launch"),
                                                    arguments["source-root"].as<std::string>(),
                                                    caches_option(arguments), gpu);
  return {.kernel = std::move(kept.kernel), .launches = std::move(kept.launches)};
}

} // namespace

frontend::SourceOptions memory_source(const cxxopts::ParseResult& arguments) {
  if (arguments.count("launch")) {
    for (const char* option : kOfFiles)
      if (arguments.count(option))
        throw CommandError(fmt::format("error: --launch names a kernel with its arguments and "
                                       "sizes: leave out --{}",
                                       option));
    const model::KeptLaunch launch = model::read_kept_launch(files_of(arguments, "launch").front());
    // Messages are in the words of its language, and patches change it.
    frontend::SourceOptions kept;
    kept.file = launch.file;
    kept.source_root = arguments["source-root"].as<std::string>();
    kept.definitions = list_of(arguments, "define");
    kept.include_directories = list_of(arguments, "include");
    if (model::row_of(fs::path(kept.file)).has_instances)
      kept.kernel = launch.kernel;
    return kept;
  }
  if (caches_option(arguments) == model::Caches::Warm)
    throw CommandError("error: --caches warm is for --launch: no launch comes before a test case");
  frontend::SourceOptions source = source_options(arguments, Named::File, Languages::All);
  source.kernel = instance_of(arguments, source);
  define_lock_step(arguments, source.definitions);
  return source;
}

MemorySubject memory_subject(const cxxopts::ParseResult& arguments,
                             const frontend::SourceOptions& source, const memory::Gpu& gpu) {
  if (arguments.count("launch"))
    return kept_subject(arguments, gpu);
  if (!arguments.count("case"))
    throw CommandError("error: --case is missing: give a file of test cases");
  MemorySubject subject{.kernel = memory::kernel_of(source, arguments["kernel"].as<std::string>()),
                        .files = files_of(arguments, "case")};
  memory::check_warps(gpu, subject.kernel.language());
  subject.defaults = {.global_size = sizes_of(arguments, "global-size"),
                      .local_size = sizes_of(arguments, "local-size"),
                      .global_offset = sizes_of(arguments, "global-offset", 999'999'999, 0),
                      .arguments = list_of(arguments, "argument"),
                      .shared_memory = shared_memory_of(arguments, subject.kernel),
                      .lock_step = lock_step_option(arguments)};
  subject.launches = memory::launches_of(subject.kernel, subject.files, subject.defaults);
  if (subject.launches.empty())
    throw CommandError("error: the files of --case have no case");
  return subject;
}

} // namespace gputest::driver
