// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/plan.h"

#include "gputest/error.h"
#include "model/expressions/expression.h"
#include "model/shell.h"
#include "model/spirv/module.h"
#include "runtime/cases/required_case.h"
#include "runtime/machine/source_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

fs::path executable_folder() {
  return fs::read_symlink("/proc/self/exe").parent_path();
}

// Empty stays empty.
fs::path resolved(const std::string& path, const fs::path& folder) {
  return path.empty() ? fs::path() : (folder / path).lexically_normal();
}

model::KernelInterface read_kernel(const Plan& plan, const fs::path& user_interface) {
  const fs::path file = plan.kernel_dir / "interface.json";
  model::Interface interface = model::read_interface(file);
  if (!user_interface.empty())
    interface = model::merge_edits(std::move(interface), model::read_interface(user_interface));
  if (const model::KernelInterface* kernel = interface.find(plan.kernel))
    return *kernel;
  std::string names;
  for (const model::KernelInterface& kernel : interface.kernels)
    names += (names.empty() ? "" : ", ") + kernel.name;
  throw UsageError(fmt::format("{}: error: there is no kernel '{}'; there are: {}",
                               plan.source.string(), plan.kernel, names.empty() ? "none" : names));
}

void expect_sizes(const std::vector<std::size_t>& sizes, std::string_view name) {
  if (sizes.size() > 3)
    throw UsageError(fmt::format("{} has {} dimensions; OpenCL has at most 3", name, sizes.size()));
}

TestCase case_of_arguments() {
  TestCase test_case;
  test_case.name = "arguments";
  return test_case;
}

// Puts the case of the arguments in front of others, unless these lack a value for it.
void add_case_of_arguments(Plan& plan) {
  TestCase added = case_of_arguments();
  if (std::ranges::find(plan.cases, added.name, &TestCase::name) != plan.cases.end())
    return;
  try {
    check_case(added, plan.interface, plan.defaults);
  } catch (const MissingValue&) {
    return;
  }
  plan.cases.insert(plan.cases.begin(), std::move(added));
}

// Reads the cases of the files that the command line names, else of those in the description.
std::vector<TestCase> read_cases(const KernelDescription& description, const fs::path& folder,
                                 const std::vector<std::string>& instead) {
  std::vector<fs::path> files;
  for (const std::string& file : instead.empty() ? description.test_cases : instead)
    files.push_back(instead.empty() ? resolved(file, folder) : fs::absolute(file));
  std::vector<TestCase> cases;
  for (const fs::path& file : files)
    for (TestCase& test_case : read_test_cases(file, description.kernel))
      cases.push_back(std::move(test_case));
  if (cases.empty())
    cases.push_back(case_of_arguments());
  std::set<std::string> names;
  for (const TestCase& test_case : cases)
    if (!names.insert(test_case.name).second)
      throw UsageError(fmt::format("{}: error: there is another test case '{}'; give one of them "
                                   "another \"name\"",
                                   test_case.file.string(), test_case.name));
  return cases;
}

std::vector<TestCase> selected(std::vector<TestCase> cases,
                               const std::vector<std::string>& wanted) {
  if (wanted.empty())
    return cases;
  for (const std::string& name : wanted)
    if (std::ranges::find(cases, name, &TestCase::name) == cases.end()) {
      std::string names;
      for (const TestCase& test_case : cases)
        names += "\n  " + test_case.name;
      throw UsageError(fmt::format("there is no test case '{}'; there are:{}", name, names));
    }
  std::erase_if(cases, [&](const TestCase& test_case) {
    return std::ranges::find(wanted, test_case.name) == wanted.end();
  });
  return cases;
}

// Returns the described settings, with those that are given instead.
model::Settings settings_of(const KernelDescription& description, const model::Analysis& analysis,
                            const std::optional<model::AskedAnalysis>& asked,
                            const fs::path& folder) {
  model::Settings settings = model::settings_of(analysis, description.settings);
  settings.resolve(folder);
  settings.take_environment();
  if (!asked)
    return settings;
  if (asked->value)
    settings.set_value(*asked->value);
  settings.add(asked->settings);
  return settings;
}

void expect_source(const Plan& plan, const model::Analysis& analysis) {
  const model::LanguageRow& row = model::row_of(plan.source);
  if (analysis.needs_source && !row.has_source)
    throw UsageError(fmt::format("{}: error: {} needs the source of a kernel, and this is {}; {}",
                                 plan.source.string(), analysis.name, row.name,
                                 model::advice_for_source(plan.source.string())));
}

void expect_machine(const Plan& plan) {
  const model::Language language = plan.settings.language;
  if (!plan.machine->runs(language))
    throw UsageError(
        fmt::format("{}: error: device '{}' runs no {}: give simulator, or gpu for a CUDA GPU",
                    plan.source.string(), plan.device, model::row_of(plan.source).name));
}

fs::path result_of(const Plan& plan, const Options& options) {
  if (options.json)
    return fs::absolute(*options.json);
  if (!options.compare)
    return plan.result;
  return plan.kernel_dir / (plan.machine->stands_in
                                ? fmt::format("comparison-{}.json", plan.machine->name)
                            : plan.run->comparison.empty() ? "comparison.json"
                                                           : std::string(plan.run->comparison));
}

// Returns the buffers of which work-item i of a function's wrapper kernel uses element i
// (passes/wrapper.h).
std::set<std::string> one_per_item(const Plan& plan) {
  const std::string text = read_variant(plan.kernel_dir / plan.variant_file("wrapper.cl"));
  std::set<std::string> names;
  for (const model::Argument& argument : plan.interface.arguments)
    for (const char* const before : {" ", "(", "&"})
      if (argument.pointer &&
          text.find(before + argument.name + "[gputest_i]") != std::string::npos)
        names.insert(argument.name);
  return names;
}

} // namespace

fs::path source_root(const fs::path& source, const fs::path& named) {
  if (named.is_absolute())
    return {};
  fs::path root = source;
  for ([[maybe_unused]] const fs::path& part : named)
    root = root.parent_path();
  return root / named == source ? root : fs::path();
}

void check_sources(const Plan& plan) {
  const fs::path file = plan.kernel_dir / "sites.json";
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return; // an analysis that needs the file reports that
  const model::SiteTable table = model::read_site_table(file);
  const fs::path named_root = source_root(plan.source, table.source);
  const std::array roots{named_root.empty() ? plan.source.parent_path() : named_root};
  const auto changed = model::first_changed(table.sources, roots);
  if (!changed)
    return;
  fs::path build = plan.kernel_dir;
  while (build.has_relative_path() && !fs::exists(build / "CMakeCache.txt", ignored))
    build = build.parent_path();
  throw UsageError(fmt::format(
      "{}: error: has changed since {} was made of it, and nothing that is measured now "
      "would be of one text: build first{}",
      *changed, (plan.kernel_dir / plan.variant_file("coverage.cl")).string(),
      build.has_relative_path() ? ", with cmake --build " + model::quoted_for_shell(build.string())
                                : ""));
}

std::unique_ptr<Machine> Plan::open_machine(Simulation told) const {
  return machine->open({device, simulator, std::move(told)});
}

std::unique_ptr<Machine> Plan::open_machine(bool MachineKind::* can, Simulation told) const {
  if (machine->*can)
    return open_machine(std::move(told));
  return kind_that(machines, can).open({{}, simulator, std::move(told)});
}

bool Plan::has_machine(bool MachineKind::* can) const {
  return std::ranges::any_of(machines, [&](const MachineKind& kind) {
    return kind.*can && !kind.list({.simulator = simulator}).empty();
  });
}

fs::path Plan::log() const {
  return result.string() + "l";
}

fs::path described_path(const std::string& path) {
  return resolved(path, executable_folder());
}

Plan make_plan(const KernelDescription& description, const Options& options,
               const Registry& registry) {
  const fs::path folder = executable_folder();
  const model::Analysis& analysis =
      options.analysis ? options.analysis->settings.analysis() : registry.analyses.front();
  Plan plan(settings_of(description, analysis, options.analysis, folder));
  for (const auto& [name, value] : description.settings)
    model::parse_setting(registry.analyses, model::kInKernel | model::kInHarness,
                         value.empty() ? name : fmt::format("{}={}", name, value));
  plan.run = &run_of(registry, analysis);
  plan.name = description.name;
  plan.kernel = description.kernel;
  plan.function = description.function;
  plan.source = resolved(description.source, folder);
  plan.kernel_dir = resolved(description.kernel_dir, folder);
  plan.driver = resolved(description.driver, folder);
  plan.simulator = resolved(description.simulator, folder);
  plan.device = options.device.value_or(description.device);
  plan.machines = registry.machines;
  plan.settings.language = model::language_of(plan.source);
  plan.machine = &kind_for(plan.machines, plan.device, plan.settings.language);
  expect_machine(plan);
  expect_source(plan, analysis);
  plan.verbose = options.verbose;
  plan.looks_for_weak = !options.no_weak;
  plan.simulation = options.simulation;
  plan.wanted = options.cases;
  plan.result = plan.kernel_dir / analysis.result;
  plan.timeout = options.timeout.value_or(description.timeout);
  if (plan.run->prepare)
    plan.run->prepare(plan, options);
  plan.result = result_of(plan, options);

  const fs::path user_interface = resolved(description.user_interface, folder);
  plan.interface = read_kernel(plan, user_interface);

  expect_sizes(description.global_size, "GLOBAL_SIZE");
  expect_sizes(description.local_size, "LOCAL_SIZE");
  expect_sizes(description.global_offset, "GLOBAL_OFFSET");
  plan.defaults.global_size = description.global_size;
  plan.defaults.local_size = description.local_size;
  plan.defaults.global_offset = description.global_offset;
  plan.defaults.shared_memory = description.shared_memory;
  plan.defaults.lock_step = description.lock_step;
  plan.defaults.language = plan.settings.language;
  plan.defaults.tolerance = description.tolerance;
  plan.defaults.interface_folder =
      (user_interface.empty() ? plan.kernel_dir / "interface.json" : user_interface).parent_path();
  plan.defaults.allow_remainder =
      description.cl_std.starts_with("CL") && description.cl_std > "CL1.2";
  for (const std::string& spec : description.arguments)
    plan.defaults.arguments.push_back(parse_argument_spec(spec, folder));
  check_specs(plan.defaults.arguments, plan.interface);
  plan.defaults.requirements = description.requirements;
  try {
    check_requirements(description.requirements, plan.interface, plan.defaults.language);
  } catch (const model::ExpressionError& error) {
    throw UsageError(fmt::format("REQUIRE {}", error.what()));
  }
  if (!plan.function.empty())
    plan.defaults.one_per_item = one_per_item(plan);

  plan.settings.build_options = description.build_options;
  plan.settings.definitions = description.definitions;
  plan.settings.cl_std = description.cl_std;
  plan.settings.include_dirs.push_back(plan.source.parent_path());
  for (const std::string& include_dir : description.include_dirs)
    plan.settings.include_dirs.push_back(resolved(include_dir, folder));

  plan.cases = read_cases(description, folder, options.case_files);
  if (description.has_case_of_arguments && options.case_files.empty())
    add_case_of_arguments(plan);
  if (plan.run->makes_inputs)
    std::erase_if(plan.cases, [](const TestCase& test_case) { return test_case.file.empty(); });
  plan.cases = selected(std::move(plan.cases), plan.wanted);
  for (const TestCase& test_case : plan.cases)
    check_case(test_case, plan.interface, plan.defaults);
  return plan;
}

Subject original_subject(const Plan& plan) {
  Subject subject{.source = plan.source.string(),
                  .text = read_source(plan.source),
                  .kernel = plan.kernel,
                  .settings = plan.settings};
  if (!plan.function.empty())
    subject.text += '\n' + read_source(plan.kernel_dir / plan.variant_file("wrapper.cl"));
  return subject;
}

Subject instrumented_subject(const Plan& plan, const fs::path& folder) {
  const fs::path file = folder / plan.variant_file("coverage.cl");
  return {.source = file.string(),
          .text = read_variant(file),
          .kernel = plan.kernel,
          .settings = preprocessed(plan.settings),
          .sites = model::read_site_table(folder / "sites.json")};
}

} // namespace gputest::runtime
