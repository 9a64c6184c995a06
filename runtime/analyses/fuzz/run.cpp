#include "runtime/analyses/fuzz/run.h"

#include "gputest/error.h"
#include "runtime/analyses/fuzz/judge.h"
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

// A file in ARGUMENTS is relative to the executable's folder, where `gputest fuzz` is started.
std::vector<std::string> command_line(const Plan& plan, const KernelDescription& description) {
  std::vector<std::string> words{
      find_driver(plan.driver, "another program makes the inputs").string(), "fuzz",
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
  for (const std::string& text : description.requirements)
    add("require", text);
  const fs::path table = plan.kernel_dir / "sites.json"; // which names the source below a root
  std::error_code ignored;
  if (fs::exists(table, ignored))
    add("source-root", source_root(plan.source, model::read_site_table(table).source).string());
  std::set<fs::path> files;
  for (const TestCase& test_case : plan.cases)
    if (!test_case.file.empty() && files.insert(test_case.file).second)
      add("cases", test_case.file.string());
  if (!description.global_size.empty())
    add("case-global-size", fmt::format("{}", fmt::join(description.global_size, ",")));
  if (!description.local_size.empty())
    add("case-local-size", fmt::format("{}", fmt::join(description.local_size, ",")));
  add("seconds", plan.analysis.text("seconds"));
  if (plan.analysis.given("seed"))
    add("seed", plan.analysis.text("seed"));
  add("output", (plan.kernel_dir / "fuzz").string());
  add("json", plan.result.string());
  if (plan.analysis.given("replay"))
    add("replay", plan.analysis.text("replay"));
  const bool has_device = !plan.machine->stands_in && !plan.analysis.given("no-device");
  if (description.reference || description.property || has_device) {
    add("judge", fs::read_symlink("/proc/self/exe").string());
    if (!has_device)
      add("judge-device", std::string(kind_that(plan.machines, &MachineKind::stands_in).name));
    else if (!plan.device.empty())
      add("judge-device", plan.device);
  }
  return words;
}

} // namespace

int run_fuzz(const Plan& plan, const KernelDescription& description) {
  if (plan.analysis.given("judge"))
    return run_judge(plan, description);
  if (!plan.function.empty())
    throw UsageError("--fuzz needs a kernel: inputs for a device function cannot be made");
  if (plan.verbose)
    throw UsageError("--verbose says nothing of --fuzz: leave it out");
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
