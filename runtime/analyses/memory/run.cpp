#include "runtime/analyses/memory/run.h"

#include "gputest/error.h"
#include "runtime/variants/instrument.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <unistd.h>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

// A preset's name, or the file of that name in the kernel's folder.
std::string gpu_of(const Plan& plan) {
  const std::string named = plan.analysis.text("gpu");
  const fs::path file = plan.source.parent_path() / named;
  return fs::is_regular_file(file) ? file.string() : named;
}

std::vector<std::string> command_line(const Plan& plan, const KernelDescription& description) {
  std::vector<std::string> words{
      find_driver(plan.driver, "another program knows what makes kernels slow").string(), "memory",
      plan.source.string()};
  const auto add = [&](const char* option, const std::string& value) {
    words.push_back(fmt::format("--{}={}", option, value));
  };
  add("kernel", plan.kernel);
  for (const std::string& definition : description.definitions)
    add("define", definition);
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
      add("case", test_case.file.string());
  if (!description.global_size.empty())
    add("global-size", fmt::format("{}", fmt::join(description.global_size, ",")));
  if (!description.local_size.empty())
    add("local-size", fmt::format("{}", fmt::join(description.local_size, ",")));
  add("gpu", gpu_of(plan));
  if (plan.analysis.given("warps")) {
    add("replay", fs::absolute(plan.analysis.text("warps")).string());
    return words;
  }
  add("schedules", plan.analysis.text("count"));
  add("seed", plan.analysis.text("seed"));
  for (const char* limit : {"overhead", "issues"})
    if (plan.analysis.given(limit))
      add(limit, plan.analysis.text(limit));
  add("replays", (plan.kernel_dir / "memory").string());
  add("json", plan.result.string());
  return words;
}

} // namespace

int run_memory(const Plan& plan, const KernelDescription& description) {
  if (!plan.function.empty())
    throw UsageError("--memory needs a kernel: a device function has no warps of its own");
  if (plan.verbose)
    throw UsageError("--verbose says nothing of --memory: leave it out");
  std::vector<std::string> words = command_line(plan, description);
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
