#include "layer/instrumentation.h"

#include "model/mutants.h"
#include "runtime/mutation_state.h"
#include "runtime/program.h"

#include <span>

namespace gputest::layer {
namespace {

// Accesses are checked against the sizes of what arguments point to.
class Mutants : public Instrumentation {
public:
  explicit Mutants(const Settings& settings) : settings_(settings) {}

  runtime::Variant variant() const override { return runtime::Variant::Mutants; }

  const std::vector<model::DeviceMacro>& read(const std::filesystem::path& folder) override {
    table_ = model::read_mutant_table(folder / "mutants.json");
    active_ = table_.find(settings_.mutant);
    return table_.device_macros;
  }

  std::string text(const std::filesystem::path& folder) const override {
    const bool is_own = active_ && active_->kind == model::MutantKind::Program;
    return runtime::read_variant(folder / (is_own ? active_->program : "mutants.cl"));
  }

  // Which arguments have a size.
  std::string options(const runtime::Device& /*device*/) const override {
    return " -cl-kernel-arg-info";
  }

  bool has_sizes() const override { return true; }

  std::vector<std::uint64_t> key(const LaunchRequest& request) const override {
    return request.sizes;
  }

  LaunchPlan plan(const LaunchRequest& request) const override {
    LaunchPlan plan{.state = runtime::make_mutant_state(table_, request.sizes), .launches = {}};
    runtime::MutantControl control{.trace = settings_.trace};
    if (active_)
      control.active = active_->number; // 0: it is all of the program
    const auto budget = settings_.budgets.find(request.label);
    if (budget != settings_.budgets.end())
      control.budget = budget->second;
    runtime::set_control(std::span(plan.state).first(runtime::kStateHeaderBytes), control);
    return plan;
  }

private:
  const Settings& settings_;
  model::MutantTable table_;
  const model::Mutant* active_ = nullptr; // of the table; nullptr: the original
};

} // namespace

std::unique_ptr<Instrumentation> instrument_mutants(const Settings& settings) {
  return std::make_unique<Mutants>(settings);
}

} // namespace gputest::layer
