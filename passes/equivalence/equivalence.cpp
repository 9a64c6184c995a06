// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/equivalence/equivalence.h"

#include "frontend/cuda/own_toolkit.h"
#include "model/language.h"
#include "passes/equivalence/compiled_cuda.h"
#include "passes/equivalence/compiled_text.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <set>
#include <utility>

namespace gputest::passes {

void note_not_compared(model::MutantTable& table, const std::string& reason) {
  table.not_mutated.push_back(model::not_compared(table.source, reason));
}

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

void note_late(MutantTable& table, std::size_t count) {
  if (count > 0)
    note_not_compared(table, fmt::format("the limit was reached before {} of {} mutants", count,
                                         mutants_to_compare(table)));
}

// The code of the original (number 0) and of switched mutants, where they are reached.
struct Compared {
  std::map<unsigned, Code> code; // by number
  std::set<unsigned> late;       // numbers that were left when the limit was reached

  void add(const llvm::Module& module, const std::string& entry, std::vector<unsigned> numbers,
           Optimiser& optimiser, WorkLimit& limit) {
    numbers.push_back(0);
    std::ranges::sort(numbers);
    const auto found = optimiser.optimise(module, entry, numbers, limit);
    for (const unsigned number : numbers)
      if (const auto digest = found.find(number); digest != found.end())
        code[number][entry] = digest->second;
      else
        late.insert(number);
  }
};

// Each way of compiling the text has its own code.
void mark_switched(std::vector<Compared> ways, MutantTable& table) {
  std::set<unsigned> late;
  for (const Compared& way : ways)
    late.insert(way.late.begin(), way.late.end());
  note_late(table, late.size() - late.count(0));
  std::map<std::pair<std::vector<Code>, bool>, std::string> seen;
  for (Mutant& mutant : table.mutants) {
    if (mutant.kind != MutantKind::Switched || !is_compared(mutant) || late.contains(mutant.number))
      continue;
    std::vector<Code> own, original;
    bool is_reached = false, known = true;
    for (Compared& way : ways) {
      original.push_back(way.code[0]);
      own.push_back(way.code[0]); // where it is not reached
      const auto found = way.code.find(mutant.number);
      if (found == way.code.end())
        continue;
      is_reached = true;
      for (const auto& [entry, digest] : found->second)
        own.back()[entry] = digest;
      known = known && is_known(own.back());
    }
    if (!is_reached || !known)
      continue;
    mutant.equivalent = own == original;
    if (mutant.equivalent)
      continue;
    const auto [earlier, is_new] =
        seen.try_emplace({std::move(own), mutant.synchronisation}, mutant.id);
    if (!is_new)
      mutant.duplicate_of = earlier->second;
  }
}

llvm::Error mark_switched(const std::string& text, const std::string& cl_std, WorkLimit& limit,
                          MutantTable& table) {
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> module = compile_text(text, cl_std, context);
  if (!module)
    return module.takeError();
  Optimiser optimiser;
  Compared compared;
  for (const model::MutatedKernel& kernel : table.kernels) {
    std::vector<unsigned> numbers;
    for (const Mutant& mutant : table.mutants)
      if (mutant.kind == MutantKind::Switched && is_compared(mutant) && reaches(kernel, mutant))
        numbers.push_back(mutant.number);
    compared.add(**module, kernel.name, std::move(numbers), optimiser, limit);
  }
  mark_switched({std::move(compared)}, table);
  return llvm::Error::success();
}

using Read = std::function<llvm::Expected<std::unique_ptr<llvm::Module>>(llvm::LLVMContext&)>;

std::vector<Read> compilations(const std::string& text, const CudaWays& ways) {
  std::vector<Read> all;
  for (const frontend::CudaOptions& options : ways.options)
    all.emplace_back([&](llvm::LLVMContext& context) {
      return compile_cuda_text(text, options, ways.relocatable, context);
    });
  return all;
}

llvm::Error mark_switched(const std::vector<Read>& ways, WorkLimit& limit, MutantTable& table) {
  std::set<unsigned> wanted;
  for (const Mutant& mutant : table.mutants)
    if (mutant.kind == MutantKind::Switched && is_compared(mutant))
      wanted.insert(mutant.number);
  Optimiser optimiser;
  std::vector<Compared> all;
  for (const Read& read : ways) {
    llvm::LLVMContext context;
    llvm::Expected<std::unique_ptr<llvm::Module>> module = read(context);
    if (!module)
      return module.takeError();
    Compared& compared = all.emplace_back();
    for (auto& [entry, numbers] : entries(**module)) {
      std::erase_if(numbers, [&](unsigned number) { return !wanted.contains(number); });
      if (!numbers.empty())
        compared.add(**module, entry, std::move(numbers), optimiser, limit);
    }
  }
  mark_switched(std::move(all), table);
  return llvm::Error::success();
}

llvm::Expected<Code> code_of(const std::string& text, const std::string& cl_std,
                             const MutantTable& table, Optimiser& optimiser, WorkLimit& limit) {
  // Each has a context of its own, because names of types that are in use would get a number.
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> module = compile_text(text, cl_std, context);
  if (!module)
    return module.takeError();
  Code code;
  for (const model::MutatedKernel& kernel : table.kernels) {
    WorkLimit unlimited; // what is begun is ended
    code[kernel.name] = optimiser.optimise(**module, kernel.name, {0}, unlimited).at(0);
    limit.optimised(**module);
  }
  return code;
}

llvm::Error mark_programs(const std::string& unchanged,
                          const std::map<std::string, std::string>& programs,
                          const std::string& cl_std, WorkLimit& limit, MutantTable& table) {
  if (std::ranges::none_of(table.mutants, [](const Mutant& mutant) {
        return mutant.kind == MutantKind::Program && is_compared(mutant);
      }))
    return llvm::Error::success();
  Optimiser optimiser;
  llvm::Expected<Code> original = code_of(unchanged, cl_std, table, optimiser, limit);
  if (!original)
    return original.takeError();
  std::size_t late = 0;
  for (Mutant& mutant : table.mutants) {
    if (mutant.kind != MutantKind::Program || !is_compared(mutant))
      continue;
    if (limit.over()) {
      ++late;
      continue;
    }
    llvm::Expected<Code> code = code_of(programs.at(mutant.id), cl_std, table, optimiser, limit);
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

// A crash of the compiler must not lose the mutants.
// Returns whether all went well.
static bool note_failure(MutantTable& table, const std::function<llvm::Error()>& mark) {
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  std::string failure = "LLVM crashed; tell its developers";
  recovery.RunSafely([&] {
    llvm::Error error = mark();
    failure = error ? first_line(std::move(error)) : "";
  });
  if (!failure.empty())
    note_not_compared(table, failure);
  llvm::CrashRecoveryContext::Disable();
  return failure.empty();
}

static void mark_launches(mutation::MutantVariant& variant) {
  for (Mutant& mutant : variant.table.mutants)
    if (variant.same_launches.contains(mutant.id) && !mutant.ignored) {
      mutant.equivalent = true;
      mutant.proof = "no work-item of the kernel asks about its group";
    }
}

void mark_equivalent(mutation::MutantVariant& variant,
                     const std::map<std::string, std::string>& programs, const std::string& cl_std,
                     WorkLimit limit) {
  mark_launches(variant);
  note_failure(variant.table,
               [&] { return mark_switched(variant.text, cl_std, limit, variant.table); });
  note_failure(variant.table, [&] {
    return mark_programs(variant.original, programs, cl_std, limit, variant.table);
  });
}

void mark_equivalent(MutantTable& table, const std::string& text, const CudaWays& ways) {
  WorkLimit unlimited;
  note_failure(table, [&] { return mark_switched(compilations(text, ways), unlimited, table); });
}

std::vector<std::string> code_to_compare(MutantTable& table, const std::string& text,
                                         const CudaWays& ways) {
  std::vector<std::string> all;
  const bool made = note_failure(table, [&]() -> llvm::Error {
    for (const Read& read : compilations(text, ways)) {
      llvm::LLVMContext context;
      llvm::Expected<std::unique_ptr<llvm::Module>> module = read(context);
      if (!module)
        return module.takeError();
      llvm::raw_string_ostream stream(all.emplace_back());
      llvm::WriteBitcodeToFile(**module, stream);
    }
    return llvm::Error::success();
  });
  return made ? all : std::vector<std::string>();
}

void mark_equivalent(MutantTable& table, const std::vector<std::string>& code, WorkLimit limit) {
  std::vector<Read> ways;
  for (const std::string& one : code)
    ways.emplace_back([&](llvm::LLVMContext& context) {
      return llvm::parseBitcodeFile(llvm::MemoryBufferRef(one, "mutants.bc"), context);
    });
  note_failure(table, [&] { return mark_switched(ways, limit, table); });
}

void mark_equivalent(mutation::MutantVariant& variant,
                     const std::map<std::string, std::string>& programs,
                     const frontend::SourceOptions& source, WorkLimit limit) {
  if (model::language_of(source.file) != model::Language::Cuda)
    return mark_equivalent(variant, programs, source.cl_std, limit);
  mark_launches(variant);
  note_failure(variant.table, [&]() -> llvm::Error {
    auto options = frontend::cuda_options(source);
    if (!options)
      return options.takeError();
    const CudaWays ways{.options = {std::move(*options)}};
    return mark_switched(compilations(variant.text, ways), limit, variant.table);
  });
}

} // namespace gputest::passes
