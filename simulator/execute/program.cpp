// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/program.h"

#include "ir/builtins.h"
#include "ir/kernels/kernel_module.h"
#include "simulator/execute/device_code.h"
#include "simulator/execute/steps.h"
#include "simulator/natives/natives.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gputest::simulator {
namespace {

// A front end and a simplification.
constexpr double kFindingAccesses = 0.1; // seconds, of a small kernel
constexpr double kWorthFinding = 4;      // launches that take so many times as long

// Compiles the source for a variant, with the built-in functions that it calls.
ir::CompiledSource compile_whole(const ir::Source& whole, const CodeVariant& variant,
                                 llvm::LLVMContext& context) {
  const bool cuda = !whole.device_code.empty();
  ir::CompiledSource compiled = ir::compile_for(variant.kernel, whole, context);
  ir::link_builtins(*compiled.module, whole.cl_std, !variant.interleaved && !cuda);
  return compiled;
}

GroupAccesses find_accesses(const ir::Source& whole, const CodeVariant& variant,
                            const ir::KernelShape& shape) {
  llvm::LLVMContext context;
  return accesses_in(*compile_whole(whole, variant, context).module, variant.kernel, shape);
}

Code compile_variant(const ir::Source& whole, const CodeVariant& variant, const Cache& cache,
                     ir::Effort effort) {
  llvm::LLVMContext context;
  const ir::CompiledSource compiled = compile_whole(whole, variant, context);
  Code code = make_code(*compiled.module, variant, effort);
  cache.keep(whole, variant, compiled.dependencies, code, effort);
  return code;
}

// Code made with full effort loads just as fast.
std::optional<Code> kept_code(const ir::Source& whole, const CodeVariant& variant,
                              const Cache& cache) {
  std::optional<Code> code = cache.find(whole, variant, ir::Effort::Full);
  return code ? std::move(code) : cache.find(whole, variant, ir::Effort::Quick);
}

Code quickly(const ir::Source& source, const CodeVariant& variant, const Cache& cache) {
  const ir::Source whole = with_device_code(source, variant.kernel, cache);
  if (std::optional<Code> code = kept_code(whole, variant, cache))
    return std::move(*code);
  return compile_variant(whole, variant, cache, ir::Effort::Quick);
}

Code in_full(const ir::Source& source, const CodeVariant& variant, const Cache& cache) {
  const ir::Source whole = with_device_code(source, variant.kernel, cache);
  if (std::optional<Code> code = cache.find(whole, variant, ir::Effort::Full))
    return std::move(*code);
  return compile_variant(whole, variant, cache, ir::Effort::Full);
}

} // namespace

Program::Program(ir::Source source, const Cache& cache, bool improves)
    : source_(std::move(source)), cache_(cache), improves_(improves) {}

Program::~Program() {
  try {
    for (const auto& [name, ready] : ready_)
      if (const double seconds = ready.code.run_time(); seconds > 0)
        cache_.note_run(with_device_code(source_, ready.variant.kernel, cache_), ready.variant,
                        seconds);
  } catch (const std::exception&) { // of other processes, which run quick code for longer then
  }
}

const Program::Ready& Program::kernel(const CodeVariant& variant) {
  const std::string name = variant.name();
  auto found = ready_.find(name);
  if (found == ready_.end()) {
    Code code = quickly(source_, variant, cache_);
    std::vector<NativeSymbol> symbols = native_symbols(variant.checks);
    if (variant.counts_steps)
      std::ranges::move(step_symbols(), std::back_inserter(symbols));
    LoadedCode loaded(code.object, symbols, variant.checks);
    if (code.full_seconds && improves_)
      loaded.replace_after(*code.full_seconds, code.run_seconds, [this, variant, name] {
        Code full = in_full(source_, variant, cache_);
        if (full.accesses)
          ready_.at(name).known_accesses = std::move(full.accesses);
        return std::move(full.object);
      });
    found = ready_
                .emplace(name, Ready{variant, std::move(code.shape), std::move(loaded),
                                     std::move(code.accesses), std::move(code.checked_accesses)})
                .first;
    if (variant.checks.any() && !variant.ordered) {
      Ready& ready = found->second;
      ready.finding_takes = kFindingAccesses + code.full_seconds.value_or(0);
      ready.find_accesses = [this, &ready] {
        const ir::Source whole = with_device_code(source_, ready.variant.kernel, cache_);
        return find_accesses(whole, ready.variant, ready.shape);
      };
    }
  }
  return found->second;
}

LaunchResult Program::launch(const CodeVariant& variant, const LaunchRequest& request, int memory) {
  const Ready& ready = kernel(variant);
  return simulator::launch(ready.code, ready.shape, request, memory, variables_,
                           {.of_groups = [&](double left) -> auto& { return ready.accesses(left); },
                            .checked = ready.checked_accesses ? &*ready.checked_accesses : nullptr},
                           [&](const std::string& block) -> BlockKernel {
                             CodeVariant of_block = variant;
                             of_block.kernel = block;
                             const Ready& enqueued = kernel(of_block);
                             return {enqueued.code, enqueued.shape};
                           });
}

const std::optional<GroupAccesses>& Program::Ready::accesses(double left) const {
  if (find_accesses && left > kWorthFinding * finding_takes)
    known_accesses = std::exchange(find_accesses, {})();
  return known_accesses;
}

bool Program::is_compiled(const CodeVariant& variant) const {
  return ready_.contains(variant.name()) ||
         kept_code(with_device_code(source_, variant.kernel, cache_), variant, cache_);
}

} // namespace gputest::simulator
