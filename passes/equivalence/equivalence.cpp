#include "passes/equivalence/equivalence.h"

#include "passes/equivalence/compiled_text.h"
#include "passes/equivalence/optimised_code.h"

#include <llvm/Support/CrashRecoveryContext.h>

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <set>
#include <utility>

namespace gputest::passes::mutation {
namespace {

using model::Mutant;
using model::MutantKind;
using model::MutantTable;

// Digests by kernel.
using Code = std::map<std::string, CodeDigest>;

bool is_compared(const Mutant& mutant) {
  return mutant.kind != MutantKind::Launch && !mutant.ignored;
}

bool reaches(const model::MutatedKernel& kernel, const Mutant& mutant) {
  return mutant.function.empty() ||
         std::ranges::find(kernel.functions, mutant.function) != kernel.functions.end();
}

bool is_known(const Code& code) {
  return std::ranges::all_of(code, [](const auto& entry) { return entry.second.has_value(); });
}

std::string first_line(llvm::Error error) {
  const std::string text = llvm::toString(std::move(error));
  return text.substr(0, text.find('\n'));
}

void note_not_compared(MutantTable& table, const std::string& reason) {
  table.not_mutated.push_back({.file = table.source,
                               .line = 1,
                               .column = 1,
                               .function = "",
                               .construct = "equivalent mutants",
                               .reason = "not looked for: " + reason});
}

void note_late(MutantTable& table, std::size_t count) {
  if (count > 0)
    note_not_compared(
        table, fmt::format("time was up for {} of {} mutants", count, mutants_to_compare(table)));
}

llvm::Error mark_switched(const std::string& text, const std::string& cl_std, Deadline until,
                          MutantTable& table) {
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> module = compile_text(text, cl_std, context);
  if (!module)
    return module.takeError();
  std::map<unsigned, Code> code; // by number
  std::set<unsigned> late;
  Optimiser optimiser;
  for (const model::MutatedKernel& kernel : table.kernels) {
    std::vector<unsigned> numbers{0};
    for (const Mutant& mutant : table.mutants)
      if (mutant.kind == MutantKind::Switched && is_compared(mutant) && reaches(kernel, mutant))
        numbers.push_back(mutant.number);
    std::ranges::sort(numbers);
    const auto found = optimiser.optimise(**module, kernel.name, numbers, until);
    for (const unsigned number : numbers)
      if (!found.contains(number))
        late.insert(number);
    for (const auto& [number, digest] : found)
      code[number][kernel.name] = digest;
  }
  note_late(table, late.size() - late.count(0));
  if (late.contains(0))
    return llvm::Error::success();
  const Code& original = code[0];
  std::map<std::pair<Code, bool>, std::string> seen;
  for (Mutant& mutant : table.mutants) {
    const auto found = code.find(mutant.number);
    if (mutant.kind != MutantKind::Switched || !is_compared(mutant) || found == code.end() ||
        late.contains(mutant.number))
      continue;
    Code own = original; // where it is not reached
    for (const auto& [kernel, digest] : found->second)
      own[kernel] = digest;
    if (!is_known(own))
      continue;
    mutant.equivalent = own == original;
    if (mutant.equivalent)
      continue;
    const auto [earlier, is_new] =
        seen.try_emplace({std::move(own), mutant.synchronisation}, mutant.id);
    if (!is_new)
      mutant.duplicate_of = earlier->second;
  }
  return llvm::Error::success();
}

llvm::Expected<Code> code_of(const std::string& text, const std::string& cl_std,
                             const MutantTable& table, Optimiser& optimiser) {
  // Each has a context of its own, because names of types that are in use would get a number.
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> module = compile_text(text, cl_std, context);
  if (!module)
    return module.takeError();
  Code code;
  for (const model::MutatedKernel& kernel : table.kernels)
    code[kernel.name] = optimiser.optimise(**module, kernel.name, {0}).at(0);
  return code;
}

llvm::Error mark_programs(const std::string& unchanged,
                          const std::map<std::string, std::string>& programs,
                          const std::string& cl_std, Deadline until, MutantTable& table) {
  if (std::ranges::none_of(table.mutants, [](const Mutant& mutant) {
        return mutant.kind == MutantKind::Program && is_compared(mutant);
      }))
    return llvm::Error::success();
  Optimiser optimiser;
  llvm::Expected<Code> original = code_of(unchanged, cl_std, table, optimiser);
  if (!original)
    return original.takeError();
  std::size_t late = 0;
  for (Mutant& mutant : table.mutants) {
    if (mutant.kind != MutantKind::Program || !is_compared(mutant))
      continue;
    if (std::chrono::steady_clock::now() > until) {
      ++late;
      continue;
    }
    llvm::Expected<Code> code = code_of(programs.at(mutant.id), cl_std, table, optimiser);
    if (!code)
      return code.takeError();
    mutant.equivalent = is_known(*code) && *code == *original;
  }
  note_late(table, late);
  return llvm::Error::success();
}

} // namespace

std::size_t mutants_to_compare(const MutantTable& table) {
  return static_cast<std::size_t>(std::ranges::count_if(table.mutants, is_compared));
}

void mark_equivalent(MutantVariant& variant, const std::map<std::string, std::string>& programs,
                     const std::string& cl_std, Deadline until) {
  // A crash of the compiler must not lose the mutants.
  const auto try_it = [&](const std::function<llvm::Error()>& mark) {
    llvm::CrashRecoveryContext recovery;
    std::string failure = "LLVM crashed; tell its developers";
    recovery.RunSafely([&] {
      llvm::Error error = mark();
      failure = error ? first_line(std::move(error)) : "";
    });
    if (!failure.empty())
      note_not_compared(variant.table, failure);
  };
  for (Mutant& mutant : variant.table.mutants)
    if (variant.same_launches.contains(mutant.id) && !mutant.ignored) {
      mutant.equivalent = true;
      mutant.proof = "no work-item of the kernel asks about its group";
    }
  llvm::CrashRecoveryContext::Enable();
  try_it([&] { return mark_switched(variant.text, cl_std, until, variant.table); });
  try_it([&] { return mark_programs(variant.original, programs, cl_std, until, variant.table); });
  llvm::CrashRecoveryContext::Disable();
}

} // namespace gputest::passes::mutation
