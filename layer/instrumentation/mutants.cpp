// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/instrumentation/instrumentation.h"

#include "model/mutation/mutants.h"
#include "runtime/cases/argument.h"
#include "runtime/machine/source_text.h"
#include "runtime/variants/mutation_launch.h"
#include "runtime/variants/mutation_state.h"
#include "runtime/variants/schedule_state.h"

#include <algorithm>
#include <span>

namespace gputest::layer {
namespace {

// Accesses are checked against the size of what an argument points to.
class Mutants : public Instrumentation {
public:
  explicit Mutants(const Settings& settings) : settings_(settings) {}

  model::Variant variant() const override { return model::variant_of("mutation"); }

  const std::vector<model::DeviceMacro>& read(const std::filesystem::path& folder) override {
    table_ = model::read_mutant_table(folder / "mutants.json");
    active_ = table_.find(settings_.mutant);
    return table_.device_macros;
  }

  std::string text(const std::filesystem::path& folder,
                   const std::filesystem::path& /*source*/) const override {
    const bool is_own = active_ && active_->kind == model::MutantKind::Program;
    return runtime::read_variant(folder / (is_own ? active_->program : "mutants.cl"));
  }

  // These options say which arguments have a size.
  void add_options(const std::string& /*device_type*/,
                   runtime::BuildSettings& settings) const override {
    settings.build_options.emplace_back("-cl-kernel-arg-info");
  }

  bool has_sizes() const override { return true; }

  std::vector<std::uint64_t> key(const RequestedLaunch& request) const override {
    std::vector<std::uint64_t> key = request.sizes;
    if (has_launches(request))
      add_sizes(request.launch, key);
    return key;
  }

  LaunchPlan plan(const RequestedLaunch& request) const override {
    LaunchPlan plan = trial(request, active_, settings_.order, settings_.trace);
    if (settings_.trace)
      plan.event.sizes = runtime::sizes_of(request.launch);
    return plan;
  }

  const model::MutantTable* mutants() const override { return &table_; }

  LaunchPlan trial(const RequestedLaunch& request, const model::Mutant* mutant, unsigned order,
                   bool trace) const override {
    LaunchPlan plan{.state = runtime::make_mutant_state(table_, request.sizes), .launches = {}};
    runtime::MutantControl control{.trace = trace};
    if (mutant)
      control.active = mutant->number; // 0: the mutant is the whole program, or changes the launch
    const auto budget = settings_.budgets.find(request.label);
    if (budget != settings_.budgets.end())
      control.budget = budget->second;
    if (trace)
      control.harm = runtime::harm_offset(table_);
    else if (const auto harm = settings_.harm.find(request.label); harm != settings_.harm.end())
      control.harm = add_harm(harm->second, plan.state);
    if (order != 0)
      control.schedule = add_order(request, order, plan);
    else if (mutant && mutant->kind == model::MutantKind::Launch &&
             mutant->function == request.kernel)
      if (const auto changed = runtime::changed_launch(request.launch, *mutant)) {
        control.budget =
            runtime::scaled_budget(control.budget, runtime::work_factor(request.launch, *changed));
        plan.launches = {*changed};
        plan.is_final = true;
      }
    runtime::set_control(std::span(plan.state).first(runtime::kStateHeaderBytes), control);
    return plan;
  }

private:
  // Whether the plan depends on what is launched.
  bool has_launches(const RequestedLaunch& request) const {
    return settings_.trace || settings_.order != 0 ||
           (active_ && active_->kind == model::MutantKind::Launch &&
            active_->function == request.kernel);
  }

  // Adds what the original does by itself. Returns the place of its section, in words.
  std::uint32_t add_harm(const std::vector<std::uint32_t>& harm, runtime::Bytes& state) const {
    const std::uint32_t begin = runtime::harm_offset(table_);
    const auto bytes = std::as_bytes(std::span(harm));
    const std::size_t room = state.size() - begin * sizeof(std::uint32_t);
    std::ranges::copy(bytes.first(std::min(room, bytes.size())),
                      state.begin() + static_cast<std::ptrdiff_t>(begin * sizeof(std::uint32_t)));
    return begin;
  }

  // Adds the order behind the state. Returns its place, in words.
  std::uint32_t add_order(const RequestedLaunch& request, unsigned order, LaunchPlan& plan) const {
    const Launch launch = runtime::with_local_size(request.launch, request.most_items);
    const model::Sizes sizes = runtime::sizes_of(launch);
    model::Schedule schedule;
    schedule.groups = schedule.items = runtime::order_of(order);
    const runtime::Places places = runtime::places_of(schedule, sizes);
    const std::size_t begin = plan.state.size();
    const std::vector<std::uint32_t> section =
        runtime::schedule_section(sizes, places.groups, places.items);
    const std::span<const std::byte> bytes = std::as_bytes(std::span(section));
    plan.state.insert(plan.state.end(), bytes.begin(), bytes.end());
    plan.launches = {launch};
    return static_cast<std::uint32_t>(begin / sizeof(std::uint32_t));
  }

  const Settings& settings_;
  model::MutantTable table_;
  const model::Mutant* active_ = nullptr; // of the table; nullptr: the original
};

} // namespace

std::unique_ptr<Instrumentation> instrument_mutants(const Settings& settings) {
  return std::make_unique<Mutants>(settings);
}

} // namespace gputest::layer
