// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/mutation/programs.h"

#include "runtime/cases/values.h"
#include "runtime/machine/device_macros.h"
#include "runtime/machine/source_text.h"
#include "runtime/variants/instrument.h"
#include "store/store.h"

#include <fmt/format.h>

namespace gputest::runtime {
namespace {

namespace fs = std::filesystem;

InstrumentRequest request_of(const Plan& plan, const model::MutantTable& table,
                             std::vector<model::DeviceMacro> macros) {
  return {.source = plan.source,
          .function = plan.function,
          .settings = plan.settings,
          .device_macros = std::move(macros),
          .source_root = source_root(plan.source, table.source),
          .variant = model::variant_of("mutation"),
          .kernel = plan.kernel};
}

} // namespace

const MutationPlan& mutation_plan(const Plan& plan) {
  return *std::any_cast<MutationPlan>(&plan.own);
}

fs::path mutants_folder(const Plan& plan, const model::MutantTable& built, Machine& machine) {
  auto actual = probe_macros(machine, built.device_macros, plan.settings);
  if (actual == built.device_macros)
    return plan.kernel_dir;
  return instrument(request_of(plan, built, std::move(actual)), find_driver(plan.driver),
                    plan.result.parent_path() / "variants");
}

model::MutantTable read_mutants(const fs::path& folder) {
  if (!fs::exists(folder / "mutants.json"))
    throw UsageError(
        fmt::format("{}: error: is not there; add MUTATION to gputest_add_kernel() and "
                    "build again",
                    (folder / "mutants.json").string()));
  return model::read_mutant_table(folder / "mutants.json");
}

Subject mutants_subject(const Plan& plan, const fs::path& folder) {
  const fs::path file = folder / plan.variant_file("mutants.cl");
  return {.source = file.string(),
          .text = read_variant(file),
          .kernel = plan.kernel,
          .settings = preprocessed(plan.settings),
          .mutants = read_mutants(folder)};
}

std::string alone_text(const Plan& plan, const model::MutantTable& table, const std::string& id) {
  return mutants_text(request_of(plan, table, table.device_macros), find_driver(plan.driver),
                      "--alone", id);
}

std::string sites_text(const Plan& plan, const model::MutantTable& table,
                       std::span<const model::SiteRange> sites) {
  std::string ranges;
  for (const model::SiteRange& range : sites)
    ranges += fmt::format("{}{}-{}", ranges.empty() ? "" : ",", range.first, range.last);
  return mutants_text(request_of(plan, table, table.device_macros), find_driver(plan.driver),
                      "--sites", ranges);
}

std::string compared_text(const Plan& plan, const model::MutantTable& table, const fs::path& ids) {
  return mutants_text(request_of(plan, table, table.device_macros), find_driver(plan.driver),
                      "--equivalence-of", ids.string());
}

std::string proofs_text(const Plan& plan, const model::MutantTable& table, const fs::path& ids) {
  return mutants_text(request_of(plan, table, table.device_macros), find_driver(plan.driver),
                      "--mutants", ids.string(), "prove");
}

VariantBuilder::VariantBuilder(Machine& machine, const Plan& plan, bool quick)
    : machine_(machine), plan_(plan), identity_(machine.identity()),
      option_(quick ? machine.quick_build_option() : "") {}

std::unique_ptr<BuiltKernel> VariantBuilder::build(const std::string& text,
                                                   const std::string& name) const {
  BuildSettings settings = preprocessed(plan_.settings);
  if (is_quick())
    settings.build_options.push_back(option_);
  return machine_.build(text, settings, plan_.kernel, name);
}

std::string VariantBuilder::key(const std::string& text) const {
  return store::content_hash(Json{{"format", 3},
                                  {"text", store::content_hash(text)},
                                  {"kernel", plan_.kernel},
                                  {"device", identity_.name},
                                  {"version", identity_.version},
                                  {"driver", identity_.driver},
                                  {"platform", identity_.platform},
                                  {"options", plan_.settings.build_options},
                                  {"quick", option_},
                                  {"cl_std", plan_.settings.cl_std},
                                  {"repeat", mutation_plan(plan_).repeat},
                                  {"timeout_factor", mutation_plan(plan_).timeout_factor}}
                                 .dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace gputest::runtime
