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
          .variant = Variant::Mutants};
}

} // namespace

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

std::string alone_text(const Plan& plan, const model::MutantTable& table, const std::string& id) {
  return mutants_text(request_of(plan, table, table.device_macros), find_driver(plan.driver),
                      "--alone", id);
}

std::string sites_text(const Plan& plan, const model::MutantTable& table, unsigned first,
                       unsigned last) {
  return mutants_text(request_of(plan, table, table.device_macros), find_driver(plan.driver),
                      "--sites", fmt::format("{}-{}", first, last));
}

std::string compared_text(const Plan& plan, const model::MutantTable& table, const fs::path& ids) {
  return mutants_text(request_of(plan, table, table.device_macros), find_driver(plan.driver),
                      "--equivalence-of", ids.string());
}

std::unique_ptr<BuiltKernel> build_variant(Machine& machine, const Plan& plan,
                                           const std::string& text, const std::string& name) {
  return machine.build(text, preprocessed(plan.settings), plan.kernel, name);
}

std::string program_key(const MachineIdentity& machine, const Plan& plan, const std::string& text) {
  return store::content_hash(Json{{"format", 2},
                                  {"text", store::content_hash(text)},
                                  {"kernel", plan.kernel},
                                  {"device", machine.name},
                                  {"version", machine.version},
                                  {"driver", machine.driver},
                                  {"platform", machine.platform},
                                  {"options", plan.settings.build_options},
                                  {"cl_std", plan.settings.cl_std},
                                  {"repeat", plan.mutation->repeat},
                                  {"timeout_factor", plan.mutation->timeout_factor}}
                                 .dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace gputest::runtime
