// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/reference_kernel.h"

#include "model/expressions/expression.h"
#include "model/interface.h"
#include "model/launches/reference_kernel.h"
#include "runtime/cases/requirements.h"
#include "runtime/cases/scalar.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/source_text.h"
#include "runtime/plan/plan.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

// Returns an integer in another integer type.
Bytes converted(const Bytes& bytes, model::Scalar from, model::Scalar to) {
  Bytes result(model::size_of(to));
  const bool is_negative = model::is_signed(from) && !bytes.empty() &&
                           (std::to_integer<unsigned>(bytes.back()) & 0x80U) != 0;
  std::ranges::fill(result, is_negative ? std::byte{0xff} : std::byte{0});
  std::copy_n(bytes.begin(), std::min(bytes.size(), result.size()), result.begin()); // little end
  return result;
}

class ReferenceKernel {
public:
  ReferenceKernel(const Plan& plan, const KernelDescription::OtherKernel& described)
      : plan_(plan), source_(described_path(described.source)),
        global_(model::reference_sizes("GLOBAL_SIZE", described.global_size, plan.interface)),
        local_(model::reference_sizes("LOCAL_SIZE", described.local_size, plan.interface)) {
    const model::Interface interface =
        model::read_interface(described_path(described.dir) / "interface.json");
    kernel_ = model::reference_kernel(interface, described.kernel);
    sources_ = model::reference_arguments(kernel_, described.arguments, plan.interface);
  }

  std::string name() const {
    std::string sizes;
    for (const model::Expression& size : global_)
      sizes += (sizes.empty() ? ", launched with GLOBAL_SIZE " : " ") + size.text();
    return fmt::format("the reference kernel '{}'{}", kernel_.name, sizes);
  }

  std::vector<std::optional<Bytes>> outputs(const BoundCase& initial) {
    if (!built_)
      build();
    std::vector<LaunchArgument> arguments;
    for (std::size_t i = 0; i < kernel_.arguments.size(); ++i)
      arguments.push_back(argument_of(kernel_.arguments[i], sources_[i], initial));
    Bytes no_state;
    const LaunchOutcome outcome = built_->launch(launch_of(initial), arguments, no_state);
    if (!outcome.findings.empty())
      throw OracleError(fmt::format("{}: {}", name(), text_of(outcome.findings.front())));
    if (!outcome.out_of_bounds.empty())
      throw OracleError(fmt::format("{}: {}", name(), outcome.out_of_bounds.front()));
    std::vector<std::optional<Bytes>> all(initial.arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i)
      all[sources_[i].position] = arguments[i].read_back
                                      ? std::move(arguments[i].bytes)
                                      : initial.arguments[sources_[i].position].bytes;
    return all;
  }

private:
  void build() {
    machine_ = kind_that(plan_.machines, &MachineKind::checks).open({{}, plan_.simulator, {}});
    machine_->limit_launches_within(plan_.timeout);
    BuildSettings settings = plan_.settings;
    const model::LanguageRow& row = model::row_of(source_);
    settings.language = row.language;
    if (row.standards.find(settings.cl_std + ' ') == std::string_view::npos)
      settings.cl_std = row.standard; // the other is a version of another language
    settings.include_dirs.insert(settings.include_dirs.begin(), source_.parent_path());
    built_ = machine_->build(read_source(source_), settings, kernel_.name, source_.string());
  }

  static LaunchArgument argument_of(const model::Argument& argument,
                                    const model::ReferenceArgument& source,
                                    const BoundCase& initial) {
    LaunchArgument made = initial.arguments[source.position];
    made.name = argument.name;
    made.writable = argument.access != model::Access::Read;
    made.read_only = made.write_only = false;
    made.read_back = made.has_memory() && made.writable;
    if (made.kind == LaunchArgument::Kind::Buffer)
      made.element_size = std::max<std::size_t>(argument.type.size, 1);
    if (source.converts)
      made.bytes = converted(made.bytes, initial.types[source.position].scalar, *source.converts);
    return made;
  }

  // Returns the value of a name in an expression of sizes, for one case.
  std::optional<double> value_of(const model::Expression::Reference& name,
                                 const BoundCase& initial) const {
    if (name.call && name.argument.empty()) {
      const std::array sizes{std::pair("global_size", &initial.launch.global_size),
                             std::pair("local_size", &initial.launch.local_size)};
      const auto dimension = static_cast<std::size_t>(name.index.value_or(0));
      for (const auto& [what, size] : sizes)
        if (name.name == what && dimension < size->size())
          return static_cast<double>((*size)[dimension]);
      return std::nullopt;
    }
    const model::Argument* const argument =
        plan_.interface.find(name.call ? name.argument : name.name);
    if (!argument)
      return std::nullopt;
    const LaunchArgument& given = initial.arguments[argument->position];
    const std::size_t element = std::max<std::size_t>(argument->type.size, 1);
    const std::vector<model::Leaf> leaves = model::leaves_of(argument->type);
    return value_in({.is_buffer = given.kind == LaunchArgument::Kind::Buffer,
                     .leaves = leaves,
                     .element_size = element,
                     .elements = given.bytes.size() / element,
                     .bytes = given.bytes},
                    name);
  }

  std::array<std::size_t, 3> sizes_in(const std::vector<model::Expression>& expressions,
                                      const char* keyword, const BoundCase& initial) const {
    std::array<std::size_t, 3> sizes{1, 1, 1};
    for (std::size_t i = 0; i < expressions.size(); ++i) {
      const auto value = expressions[i].evaluate(
          [&](const model::Expression::Reference& name) { return value_of(name, initial); });
      if (!value || !(*value >= 1) || *value > 1e15)
        throw OracleError(fmt::format("{}: {} '{}' is no size in this case{}", name(), keyword,
                                      expressions[i].text(),
                                      value ? fmt::format(": it is {:g}", *value) : ""));
      sizes[i] = static_cast<std::size_t>(*value);
    }
    return sizes;
  }

  Launch launch_of(const BoundCase& initial) const {
    Launch launch = initial.launch;
    launch.lock_step = 0; // only the kernel under test relies on it
    if (!global_.empty()) {
      launch.global_size = sizes_in(global_, "GLOBAL_SIZE", initial);
      launch.global_offset = {0, 0, 0};
      launch.dimensions = static_cast<unsigned>(global_.size());
      launch.local_size = {0, 0, 0};
    }
    if (!local_.empty())
      launch.local_size = sizes_in(local_, "LOCAL_SIZE", initial);
    else if (kernel_.required_work_group_size)
      launch.local_size = *kernel_.required_work_group_size;
    return launch;
  }

  const Plan& plan_;
  fs::path source_;
  std::vector<model::Expression> global_, local_;
  model::KernelInterface kernel_;
  std::vector<model::ReferenceArgument> sources_; // by position of the reference's arguments
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<BuiltKernel> built_;
};

} // namespace

Reference kernel_reference(const Plan& plan, const KernelDescription& description) {
  std::shared_ptr<ReferenceKernel> kernel;
  try {
    kernel = std::make_shared<ReferenceKernel>(plan, description.reference_kernel);
  } catch (const model::ReferenceKernelError& error) {
    throw UsageError(error.what());
  }
  return {kernel->name(), [kernel](const BoundCase& initial) -> std::vector<std::optional<Bytes>> {
            try {
              return kernel->outputs(initial);
            } catch (const OracleError&) {
              throw;
            } catch (const std::exception& error) {
              throw OracleError(fmt::format("{}: {}", kernel->name(), error.what()));
            }
          }};
}

} // namespace gputest::runtime
