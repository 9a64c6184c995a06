// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/builtins.h"

#include "embedded/atomics_cl.h"
#include "embedded/builtins_cl.h"
#include "embedded/collectives_cl.h"
#include "embedded/copies_cl.h"
#include "embedded/half_conversions_cl.h"
#include "embedded/half_math_cl.h"
#include "embedded/images_cl.h"
#include "embedded/libdevice_cl.h"
#include "embedded/sub_groups_cl.h"
#include "frontend/llvm_version.h"
#include "frontend/source_options.h"
#include "ir/error.h"
#include "ir/frontend.h"
#include "ir/protected.h"
#include "ir/tables.h"
#include "model/files.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SourceMgr.h>

namespace gputest::simulator {
namespace {

// The simulator's own functions, which libclc lacks.
struct Addition {
  const char* name;
  std::string_view text;
  std::vector<std::string> calls;            // parts of their names
  std::vector<std::string> also{}, except{}; // further parts: one of `also`, none of `except`
};

bool contains_any(llvm::StringRef name, const std::vector<std::string>& parts) {
  return std::ranges::any_of(parts, [&](const std::string& part) { return name.contains(part); });
}

void link_if_called(llvm::Module& module, const Addition& addition, const std::string& cl_std) {
  const bool is_called = std::ranges::any_of(module, [&](const llvm::Function& function) {
    const llvm::StringRef name = function.getName();
    return function.isDeclaration() && (name.starts_with("_Z") || name.starts_with("__nv_")) &&
           contains_any(name, addition.calls) &&
           (addition.also.empty() || contains_any(name, addition.also)) &&
           !contains_any(name, addition.except);
  });
  if (!is_called)
    return;
  constexpr const char* kOldest = "CL1.2"; // the first with `static`
  CompiledSource added =
      compile({.name = addition.name,
               .text = std::string(addition.text),
               .cl_std = std::max<std::string>(passes::opencl_c_of(cl_std), kOldest)},
              module.getContext());
  llvm::StripDebugInfo(*added.module); // code has the places of its calls
  if (llvm::Linker::linkModules(module, std::move(added.module), llvm::Linker::LinkOnlyNeeded))
    throw SimulatorFailure(fmt::format("the simulator's {} cannot be linked", addition.name));
}

// Marks libclc's operations, because libclc shifts by any amount.
void mark_library(llvm::Module& module) {
  llvm::MDNode* const mark = llvm::MDNode::get(module.getContext(), {});
  for (llvm::Function& function : module)
    if (!function.getSubprogram())
      for (llvm::Instruction& instruction : llvm::instructions(function))
        if (llvm::isa<llvm::BinaryOperator>(instruction) ||
            llvm::isa<llvm::ExtractElementInst>(instruction) ||
            llvm::isa<llvm::InsertElementInst>(instruction))
          instruction.setMetadata(kLibrary, mark);
}

// OpenCL C 1.2's atomic functions order no other accesses. Those of libclc would.
void relax(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      update->setOrdering(llvm::AtomicOrdering::Monotonic);
    } else if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      exchange->setSuccessOrdering(llvm::AtomicOrdering::Monotonic);
      exchange->setFailureOrdering(llvm::AtomicOrdering::Monotonic);
    }
}

} // namespace

std::string libclc_file() {
  return model::file_of_others("GPUTEST_LIBCLC", "clc/nvptx64--.bc", GPUTEST_LIBCLC);
}

void link_builtins(llvm::Module& module, const std::string& cl_std, bool whole_copies) {
  std::vector<Addition> additions{
      {"images.cl", embedded::images_cl, {"read_image", "write_image", "get_image_"}},
      {"builtins.cl", embedded::builtins_cl, {"atom_", "mad_hi", "3ctz"}},
      {"libdevice.cl", embedded::libdevice_cl, {"__nv_"}},
      {"atomics.cl", embedded::atomics_cl, {"VU7_Atomic"}},
      {"collectives.cl",
       embedded::collectives_cl,
       {"work_group_all", "work_group_any", "work_group_broadcast", "work_group_reduce_",
        "work_group_scan_"}},
      {"sub_groups.cl", embedded::sub_groups_cl, {"sub_group"}},
      {"half_conversions.cl", embedded::half_conversions_cl, {"convert_"}, {"convert_half", "Dh"}},
      {"half_math.cl",
       embedded::half_math_cl,
       {"Dh"},
       {},
       {"convert_", "load_half", "loada_half", "store_half", "storea_half"}}};
  if (whole_copies)
    additions.push_back(
        {"copies.cl", embedded::copies_cl, {"async_work_group_", "wait_group_events"}});
  for (const Addition& addition : additions)
    link_if_called(module, addition, cl_std);
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> library =
      llvm::getLazyIRFileModule(libclc_file(), error, module.getContext());
  if (!library)
    throw SimulatorFailure(fmt::format(
        "{}: error: {}; OpenCL's built-in functions come from libclc (Debian: libclc-19): install "
        "it, or set GPUTEST_LIBCLC to its nvptx64--.bc",
        libclc_file(), error.getMessage().str()));
  library->setDataLayout(module.getDataLayout());
  library->setTargetTriple(module.getTargetTriple());
  // The simulator has its own versions (work_items.h), because libclc assumes that all groups are
  // full.
  for (const char* name : {"_Z13get_global_idj", "_Z15get_global_sizej"})
    if (llvm::Function* const function = library->getFunction(name))
      function->deleteBody();
  llvm::StringSet<> before;
  for (const llvm::GlobalVariable& variable : module.globals())
    before.insert(variable.getName());
  llvm::StringSet<> defined;
  for (const llvm::Function& function : module)
    if (!function.isDeclaration())
      defined.insert(function.getName());
  if (llvm::Linker::linkModules(module, std::move(library), llvm::Linker::LinkOnlyNeeded))
    throw SimulatorFailure(fmt::format("{}: error: cannot be linked", libclc_file()));
  for (llvm::Function& function : module)
    if (!defined.contains(function.getName()))
      relax(function);
  std::vector<llvm::GlobalVariable*> tables;
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.isConstant() && variable.hasInitializer() && !before.contains(variable.getName()))
      tables.push_back(&variable);
  guard_tables(module, tables);
  llvm_version::count_plainly(module);
  mark_library(module);
}

} // namespace gputest::simulator
