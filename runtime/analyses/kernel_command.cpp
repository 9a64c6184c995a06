// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/kernel_command.h"

#include "gputest/error.h"
#include "process/child.h"
#include "runtime/variants/instrument.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <unistd.h>

namespace gputest::runtime {

namespace fs = std::filesystem;

void add_option(std::vector<std::string>& words, std::string_view option,
                const std::string& value) {
  words.push_back(fmt::format("--{}={}", option, value));
}

std::vector<std::string> kernel_command(const KernelCommand& command, std::string_view no_function,
                                        const Plan& plan, const KernelDescription& description) {
  if (!plan.function.empty())
    throw UsageError(fmt::format("--{} needs a kernel: {}", command.name, no_function));
  if (plan.verbose)
    throw UsageError(fmt::format("--verbose says nothing of --{}: leave it out", command.name));
  std::vector<std::string> words{find_driver(plan.driver, command.purpose).string(),
                                 std::string(command.name), plan.source.string()};
  const auto add = [&](std::string_view option, const std::string& value) {
    add_option(words, option, value);
  };
  add("kernel", plan.kernel);
  for (const std::string& definition : description.definitions)
    add("define", definition);
  if (description.lock_step != 0)
    add("lock-step", std::to_string(description.lock_step));
  for (const fs::path& folder : plan.settings.include_dirs)
    add("include", folder.string());
  if (!description.cl_std.empty())
    add("cl-std", description.cl_std);
  for (const std::string& text : description.arguments)
    add("argument", text);
  const fs::path table = plan.kernel_dir / "sites.json"; // which names the source below a root
  std::error_code ignored;
  if (fs::exists(table, ignored))
    add("source-root", source_root(plan.source, model::read_site_table(table).source).string());
  std::set<fs::path> files;
  for (const TestCase& test_case : plan.cases)
    if (!test_case.file.empty() && files.insert(test_case.file).second)
      add(command.cases, test_case.file.string());
  if (!description.global_size.empty())
    add(command.global_size, fmt::format("{}", fmt::join(description.global_size, ",")));
  if (!description.local_size.empty())
    add(command.local_size, fmt::format("{}", fmt::join(description.local_size, ",")));
  if (!description.global_offset.empty())
    add(command.global_offset, fmt::format("{}", fmt::join(description.global_offset, ",")));
  if (description.shared_memory != 0)
    add(command.shared_memory, std::to_string(description.shared_memory));
  return words;
}

int run_child(std::vector<std::string> words) {
  process::Child child =
      process::Child::start({.words = std::move(words), .folder = described_path(".").string()});
  const process::Ended ended = child.wait();
  return ended.signal != 0 ? 128 + ended.signal : ended.exit_code;
}

void become(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::fflush(nullptr);
  fs::current_path(described_path("."));
  ::execv(pointers.front(), pointers.data());
  throw DeviceError(fmt::format("{}: cannot be started: {}", words.front(), std::strerror(errno)));
}

} // namespace gputest::runtime
