// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/session.h"

#include "gputest/error.h"
#include "ir/error.h"
#include "model/files.h"
#include "model/launches/lock_step.h"
#include "runtime/cases/scalar.h"
#include "simulator/execute/program.h"
#include "testgen/inputs/case_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <unistd.h>

namespace gputest::testgen {
namespace {

namespace fs = std::filesystem;

Shape given_shape(const InputSettings& settings, const Target& target) {
  Shape shape{.dimensions = static_cast<unsigned>(settings.global_size.size())};
  for (unsigned i = 0; i < shape.dimensions; ++i) {
    shape.global[i] = settings.global_size[i];
    if (i < settings.local_size.size())
      shape.local[i] = settings.local_size[i];
    else if (const auto& required = target.interface.required_work_group_size)
      shape.local[i] = (*required)[i];
    else if (i == 0)
      for (const std::size_t size : {std::size_t{2}, std::size_t{4}, std::size_t{8},
                                     std::max(target.lock_step, std::size_t{8})})
        if (shape.global[0] % size == 0)
          shape.local[0] = static_cast<std::uint32_t>(size);
    if (shape.local[i] == 0 || shape.global[i] == 0)
      throw UsageError("error: a size of the launch is 0");
    if (!target.remainder && shape.global[i] % shape.local[i] != 0)
      throw UsageError(fmt::format("error: the global size {} is no multiple of the local size {}",
                                   shape.global[i], shape.local[i]));
  }
  if (shape.items() > kMostItems || shape.items_of_group() > target.most_items_of_group())
    throw UsageError(fmt::format("error: the launch has {} work-items, and tests are generated for "
                                 "up to {} of them, {} in a group",
                                 shape.items(), kMostItems, target.most_items_of_group()));
  if (shape.items_of_group() < target.lock_step)
    throw UsageError(fmt::format(
        "error: {}{}", model::too_few_for_lock_step(target.lock_step, shape.items_of_group()),
        settings.local_size.empty() ? ": give --local-size" : ""));
  return shape;
}

// Whether two outputs are equal up to rounding.
bool alike(const KernelArgument& argument, const runtime::Bytes& a, const runtime::Bytes& b) {
  if (a == b)
    return true;
  for (std::size_t at = 0; at + argument.type.size <= a.size(); at += argument.type.size)
    for (const model::Leaf& leaf : argument.leaves) {
      const double x = runtime::read_scalar(leaf.scalar, a.data() + at + leaf.offset);
      const double y = runtime::read_scalar(leaf.scalar, b.data() + at + leaf.offset);
      const double most =
          model::is_floating(leaf.scalar) ? 1e-6 * std::max(std::abs(x), std::abs(y)) : 0;
      if (!(std::abs(x - y) <= most) && !(std::isnan(x) && std::isnan(y)) && x != y)
        return false;
    }
  return true;
}

// Processes exchange code through a folder: the cache, or `own` if there is none.
fs::path code_folder(std::optional<process::ScratchFolder>& own) {
  const fs::path folder = simulator::cache_folder();
  return folder.empty() ? own.emplace("gputest-code").path() : folder;
}

// Other orders in which outputs are looked at. SCHEDULES runs about 40 in each case.
constexpr std::uint64_t kOrdersTried = 12;

// The outputs that a test compares after the case.
Oracle oracle_of(const runtime::BoundCase& test_case) {
  Oracle oracle{.tolerance = test_case.tolerance, .right = {}};
  if (test_case.expected.empty())
    return oracle;
  oracle.right.resize(test_case.arguments.size());
  for (const runtime::BoundCase::Expected& expected : test_case.expected)
    oracle.right[expected.position] = expected.bytes;
  return oracle;
}

bool is_offset(const std::vector<std::size_t>& offset) {
  return std::ranges::any_of(offset, [](std::size_t one) { return one != 0; });
}

bool has_case_with_offset(const fs::path& file, const Target& target) {
  if (model::read_text(file).value_or("").find("global_offset") == std::string::npos)
    return false;
  try {
    const std::vector<runtime::TestCase> cases = runtime::read_test_cases(file, target.kernel());
    return std::ranges::any_of(cases, is_offset, &runtime::TestCase::global_offset);
  } catch (const std::exception&) { // inputs_of() says what is wrong with it
    return false;
  }
}

} // namespace

Constraints constraints_of(const Target& target, const InputSettings& settings,
                           const std::vector<fs::path>& more) {
  Constraints constraints;
  for (const std::string& text : settings.arguments)
    constraints.add_argument(target, text);
  for (const std::string& text : settings.requirements)
    constraints.add_requirement(target, text);
  if (!settings.global_size.empty())
    constraints.shapes = {given_shape(settings, target)};
  const auto has_offset = [&](const fs::path& file) { return has_case_with_offset(file, target); };
  constraints.cases_have_offsets = is_offset(settings.case_global_offset) ||
                                   std::ranges::any_of(settings.cases, has_offset) ||
                                   std::ranges::any_of(more, has_offset);
  return constraints;
}

CompiledKernel::CompiledKernel(const Target& target)
    : target_(target), cache_(code_folder(temporary_)), original_(target.original, cache_),
      instrumented_(target.instrumented, cache_) {
  if (target.mutants)
    add_mutants();
}

void CompiledKernel::add_mutants() {
  ir::Source source = target_.original;
  // Without -fwrapv, LLVM assumes that x * x is 0 only if x is 0. Then a guard on x * x would let a
  // mutant divide by 0 when x * x overflows.
  source.options.push_back("-fwrapv");
  mutants_.emplace(ir::with_text(source, target_.mutants->text), cache_);
  if (target_.mutants->differences.text.empty())
    return;
  differences_.emplace(ir::with_text(source, target_.mutants->differences.text), cache_);
}

// No child: all of it is there. What cannot be compiled says so when it is asked for.
process::Child CompiledKernel::compiling(const std::vector<Wanted>& wanted) {
  if (std::ranges::all_of(wanted,
                          [](const Wanted& one) { return one.program->is_compiled(one.variant); }))
    return {};
  return process::Child::fork([&] {
    for (const Wanted& one : wanted)
      one.program->kernel(one.variant);
  });
}

Kernels CompiledKernel::kernels(Deadline until, Deadline mutants_until) {
  const std::string& name = target_.kernel();
  const simulator::CodeVariant covered{.kernel = name,
                                       .checks = simulator::checks_named({"bounds", "arithmetic"}),
                                       .counts_steps = true},
      checked{.kernel = name,
              .checks = simulator::checks_named(
                  {"races", "barriers", "bounds", "uninitialized", "arithmetic"}),
              .counts_steps = true},
      ordered{.kernel = name, .ordered = true, .counts_steps = true},
      plain{.kernel = name, .counts_steps = true};
  process::Child mutants;
  if (mutants_) {
    std::vector<Wanted> wanted{{&*mutants_, plain}};
    if (differences_)
      wanted.insert(wanted.begin(), {&*differences_, plain});
    mutants = compiling(wanted);
  }
  // Side by side. All checks take as long as the other two together, which share what a process
  // needs for its first kernel.
  std::array<process::Child, 2> outcomes{
      compiling({{&original_, checked}}),
      compiling({{&instrumented_, covered}, {&original_, ordered}})};
  for (process::Child& child : outcomes)
    if (child.runs() && !child.wait([&] { return until.over(); }))
      throw OutOfTime("compiling the kernel takes longer than there is time");
  Kernels kernels;
  kernels.instrumented = &instrumented_.kernel(covered);
  kernels.checked = &original_.kernel(checked);
  kernels.ordered = &original_.kernel(ordered);
  if (!mutants_)
    return kernels;
  std::optional<process::Ended> ended;
  if (mutants.runs())
    ended = mutants.wait([&] { return mutants_until.over(); });
  mutants_seconds_ = ended ? ended->processor_seconds : 0;
  if (mutants.runs()) {
    no_mutants_ = "compiling them takes longer than the share of the time that is theirs";
    return kernels;
  }
  try {
    if (differences_)
      kernels.differences = &differences_->kernel(plain);
    kernels.mutants = &mutants_->kernel(plain);
    kernels.table = &target_.mutants->table;
  } catch (const ir::SourceError& error) {
    no_mutants_ = error.what();
  }
  return kernels;
}

std::vector<fs::path> case_files(const fs::path& folder, const Target& target) {
  std::error_code error;
  std::vector<fs::path> found;
  const auto beginning = [](const fs::path& file, const std::string& kernel) {
    const std::string part = file_part(kernel) + '-';
    return file.filename().string().starts_with(part) ? part.size() : 0;
  };
  const auto of_another_kernel = [&](const fs::path& file) { // "saxpy-float-5.json" is not saxpy's
    return std::ranges::any_of(target.sites.kernels, [&](const model::InstrumentedKernel& kernel) {
      return kernel.name != target.kernel() &&
             beginning(file, kernel.name) > beginning(file, target.kernel());
    });
  };
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".json" && !of_another_kernel(entry.path()))
      found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

std::vector<fs::path> all_case_files(const std::vector<fs::path>& files, const fs::path& folder,
                                     const Target& target) {
  std::vector<fs::path> all = files;
  for (const fs::path& file : case_files(folder, target))
    if (std::ranges::none_of(files, [&](const fs::path& known) {
          return fs::weakly_canonical(known) == fs::weakly_canonical(file);
        }))
      all.push_back(file);
  return all;
}

std::vector<KnownInput> inputs_of(const Target& target, const InputSettings& settings,
                                  const fs::path& file, std::vector<std::string>& notes) {
  runtime::CaseDefaults defaults;
  defaults.global_size = settings.case_global_size;
  defaults.local_size = settings.case_local_size;
  defaults.global_offset = settings.case_global_offset;
  defaults.shared_memory = settings.case_shared_memory;
  defaults.lock_step = target.lock_step;
  for (const std::string& text : settings.arguments)
    defaults.arguments.push_back(runtime::parse_argument_spec(text, fs::current_path()));
  defaults.requirements = settings.requirements;
  defaults.tolerance = settings.tolerance;
  defaults.allow_remainder = target.remainder;
  defaults.language = model::language_of(target.file);
  std::vector<KnownInput> inputs;
  try {
    for (const runtime::TestCase& test_case : runtime::read_test_cases(file, target.kernel())) {
      try {
        const runtime::BoundCase bound = runtime::bind_case(test_case, target.interface, defaults);
        runtime::expect_lock_step(bound, target.lock_step,
                                  fmt::format("{}: case '{}'", file.string(), bound.name));
        auto input = input_of(target, bound);
        if (input)
          inputs.push_back({test_case.name, std::move(*input), oracle_of(bound)});
        else
          notes.push_back(fmt::format("{}: case '{}' is too large to be looked at", file.string(),
                                      test_case.name));
      } catch (const UsageError& error) { // the file's other cases may be good
        notes.push_back(fmt::format("not looked at: {}", error.what()));
      }
    }
  } catch (const std::exception& error) {
    notes.push_back(fmt::format("not looked at: {}", error.what()));
  }
  return inputs;
}

std::string Varying::text() const {
  return fmt::format("'{}' depends on {}", output,
                     by_order ? "the order of work-items"
                              : "how the kernel is compiled: an integer may overflow");
}

std::optional<Varying> varying_output(const Target& target, Worker& worker, const Input& input,
                                      const std::vector<runtime::Bytes>& after) {
  const auto differing = [&](const std::vector<runtime::Bytes>& a,
                             const std::vector<runtime::Bytes>& b) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < target.arguments.size(); ++i)
      if (target.arguments[i].output && !alike(target.arguments[i], a[i], b[i]))
        return i;
    return std::nullopt;
  };
  const std::uint64_t orders = input.shape.items() < 2 ? 1 : kOrdersTried;
  for (std::uint64_t seed = 0; seed < orders; ++seed) {
    const auto other = worker.run_ordered(input, seed);
    const auto found = other ? differing(after, *other) : std::nullopt;
    if (!found)
      continue;
    // `after` is of other code, with checks.
    const auto usual = worker.run_ordered(input, std::nullopt);
    const auto by_order = usual ? differing(*usual, *other) : found;
    return Varying{.output = target.arguments[by_order.value_or(*found)].name,
                   .by_order = by_order.has_value()};
  }
  return std::nullopt;
}

} // namespace gputest::testgen
