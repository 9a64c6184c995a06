// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/memory/generation.h"

#include "gputest/error.h"
#include "memory/local_sizes.h"
#include "testgen/inputs/case_file.h"

#include <fmt/format.h>

namespace gputest::driver {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCases = "cases";

std::string name_of(std::size_t number) {
  return fmt::format("generated-{}", number + 1);
}

} // namespace

CaseGeneration::CaseGeneration(const frontend::SourceOptions& source, const memory::Kernel& kernel,
                               const std::vector<std::string>& arguments,
                               const std::vector<std::string>& requirements)
    : kernel_(kernel), target_(testgen::targets_of(source, kernel.name()).at(0)) {
  if (!target_.refused.empty())
    throw UsageError(target_.refused);
  try {
    for (const std::string& text : arguments)
      constraints_.add_argument(target_, text);
    for (const std::string& text : requirements)
      constraints_.add_requirement(target_, text);
  } catch (const testgen::ExpressionError& error) {
    throw UsageError(error.what());
  }
}

memory::Generation CaseGeneration::look(const memory::Tracer& tracer,
                                        const memory::NamedLaunch& first, const memory::Gpu& gpu,
                                        const memory::GenerateSettings& settings, bool compare) {
  memory::take_images(target_, first.launch);
  if (first.launch.sizes.offset != model::Sizes().offset)
    throw UsageError(
        fmt::format("error: the case '{}' has a global offset, and generated cases have none: "
                    "leave out --strategy, or give a case without one first",
                    first.name));
  if (const auto broken = memory::broken_requirement(constraints_, target_, first.launch))
    throw UsageError(
        fmt::format("error: the case '{}' does not obey '{}' of --require: correct one of them",
                    first.name, *broken));
  const auto found_by = [&](memory::Strategy strategy) {
    memory::GenerateSettings own = settings;
    own.strategy = strategy;
    return memory::generate(kernel_.source, target_, constraints_, tracer, first.launch, gpu, own);
  };
  memory::Generation generation{.settings = settings, .found = found_by(settings.strategy)};
  if (compare)
    for (const memory::Strategy strategy : memory::kStrategies)
      if (strategy != settings.strategy)
        generation.compared.emplace_back(strategy, found_by(strategy));
  return generation;
}

void CaseGeneration::report(memory::Generation generation, const memory::Tracer& tracer,
                            const memory::Gpu& gpu, memory::KernelReport& result,
                            std::vector<std::pair<memory::Replay, std::size_t>>& replays,
                            const std::function<bool()>& is_over) {
  result.generation = std::move(generation);
  memory::Generated& all = result.generation->found;
  cases_ = all.cases;
  if (!cases_.empty()) // of shards, nothing was looked for here
    memory::take_images(target_, cases_.front().launch);
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    if (i != 0 && is_over()) {
      all.left_out = cases_.size() - i;
      cases_.resize(i);
      all.cases.resize(i);
      break;
    }
    const memory::FoundCase& found = cases_[i];
    const memory::LaunchTrace trace = tracer.trace(found.launch, gpu.warps());
    const memory::StaticReport known = tracer.classify(found.launch, gpu);
    memory::CaseReport& report = result.cases.emplace_back(
        memory::analyse(gpu, trace, name_of(i), found.choice,
                        memory::sure_hits_of(known, trace, found.launch.sizes.items_of_group())));
    memory::try_local_sizes(gpu, tracer, found.launch, report);
    memory::add_static(report, known);
    report.condition = found.condition;
    report.case_file = fmt::format("{}/{}.json", kCases, name_of(i));
    replays.emplace_back(memory::replay_of(gpu, trace, report), result.cases.size() - 1);
  }
}

const memory::TracedLaunch& CaseGeneration::launch(const std::string& name) const {
  std::size_t number = 0;
  while (name_of(number) != name)
    ++number;
  return cases_.at(number).launch;
}

void CaseGeneration::write(const fs::path& folder, bool offset_has_default) const {
  const fs::path cases = folder / kCases;
  fs::create_directories(cases);
  for (const fs::directory_entry& old : fs::directory_iterator(cases)) // of an earlier run
    if (old.path().filename().string().starts_with("generated-"))
      fs::remove(old.path());
  for (std::size_t i = 0; i < cases_.size(); ++i)
    testgen::write_case(
        cases, target_, memory::input_of(cases_[i].launch),
        {.name = name_of(i),
         .reaches = {},
         .kills = {},
         .not_recorded = "memory performance is looked at, not what the kernel computes",
         .offset_has_default = offset_has_default});
}

} // namespace gputest::driver
