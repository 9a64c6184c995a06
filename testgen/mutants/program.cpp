// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/mutants/program.h"

#include "frontend/file_names.h"
#include "frontend/languages/languages.h"
#include "gputest/error.h"
#include "passes/equivalence/equivalence.h"
#include "passes/mutation/ignore_comments.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace gputest::testgen {
namespace {

using model::Mutant;
using model::MutantKind;

bool counts(const MutantProgram& program, const Mutant& mutant, const std::string& kernel) {
  if (mutant.ignored || mutant.equivalent || !mutant.duplicate_of.empty())
    return false;
  const auto found = std::ranges::find(program.table.kernels, kernel, &model::MutatedKernel::name);
  return mutant.function.empty() ||
         (found != program.table.kernels.end() &&
          std::ranges::find(found->functions, mutant.function) != found->functions.end());
}

bool is_goal(const Mutant& mutant) {
  return mutant.kind == MutantKind::Launch ||
         (mutant.kind == MutantKind::Switched && !mutant.synchronisation &&
          !mutant.weakens_assignment);
}

} // namespace

std::vector<const Mutant*> MutantProgram::goals_of(const std::string& kernel) const {
  std::vector<const Mutant*> goals;
  for (const Mutant& mutant : table.mutants)
    if (counts(*this, mutant, kernel) && is_goal(mutant))
      goals.push_back(&mutant);
  return goals;
}

std::string MutantProgram::text_of(const Mutant& mutant, std::string original) const {
  const auto known = changes.find(mutant.id);
  if (known != changes.end())
    for (auto change = known->second.rbegin(); change != known->second.rend(); ++change)
      original.replace(change->begin, change->end - change->begin, change->text);
  return original;
}

std::size_t MutantProgram::left_to_checks(const std::string& kernel) const {
  return static_cast<std::size_t>(std::ranges::count_if(table.mutants, [&](const Mutant& mutant) {
    return counts(*this, mutant, kernel) && !is_goal(mutant);
  }));
}

MutantProgram mutants_of(const frontend::Tree& tree, const frontend::SourceOptions& options,
                         const frontend::FlatSource& flat, const std::string& name,
                         double seconds) {
  passes::mutation::MutantVariant variant = passes::mutation::mutate(tree, name);
  if (llvm::Error error = passes::mutation::ignore_by_comments(
          flat.dependencies, frontend::FileNames(options.source_root), variant.table.mutants))
    throw UsageError(llvm::toString(std::move(error)));
  const std::vector<Mutant> all = variant.table.mutants;
  std::erase_if(variant.table.mutants,
                [](const Mutant& mutant) { return mutant.kind == MutantKind::Program; });
  variant.table.compared =
      passes::mutants_to_compare(variant.table) <= passes::kComparedUnasked; // as the build does
  if (variant.table.compared)
    passes::mark_equivalent(variant, {}, options, passes::WorkLimit::of_seconds(seconds));
  for (const Mutant& mutant : all)
    if (mutant.kind == MutantKind::Program)
      variant.table.mutants.push_back(mutant);
  std::set<unsigned> counted;
  for (const Mutant& mutant : variant.table.mutants)
    if (mutant.kind == MutantKind::Switched && !mutant.ignored && !mutant.equivalent &&
        mutant.duplicate_of.empty())
      counted.insert(mutant.number);
  MutantProgram program{.text = std::move(variant.text),
                        .table = std::move(variant.table),
                        .differences = {},
                        .changes = std::move(variant.changes)};
  program.differences = passes::mutation::differences(
      tree, name, [&](unsigned number) { return counted.contains(number); });
  return program;
}

MutantProgram mutants_in(const frontend::SourceOptions& options, const frontend::FlatSource& flat,
                         double seconds) {
  const std::string name = frontend::FileNames(options.source_root).name(options.file);
  std::optional<MutantProgram> program;
  if (llvm::Error error = frontend::parse_file(flat, options, [&](const frontend::Tree& tree) {
        program = mutants_of(tree, options, flat, name, seconds);
        return llvm::Error::success();
      }))
    throw UsageError(llvm::toString(std::move(error)));
  return std::move(*program);
}

std::string text_of(const Mutant& mutant) {
  return fmt::format("{}:{}:{}: {}: '{}' -> '{}'", mutant.file, mutant.line, mutant.column,
                     mutant.id, mutant.text, mutant.replacement);
}

std::string file_part(const Mutant& mutant) {
  std::string name = fmt::format("{}-{}", mutant.line, mutant.operators.front());
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '-';
  return name;
}

} // namespace gputest::testgen
