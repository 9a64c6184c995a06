// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/builtins.h"

#include "embedded/atomics_cl.h"
#include "embedded/bits_cl.h"
#include "embedded/builtins_cl.h"
#include "embedded/collectives_cl.h"
#include "embedded/conversions_cl.h"
#include "embedded/copies_cl.h"
#include "embedded/device_queues_cl.h"
#include "embedded/exponentials_cl.h"
#include "embedded/group_pipes_cl.h"
#include "embedded/half_conversions_cl.h"
#include "embedded/half_math_cl.h"
#include "embedded/half_stores_cl.h"
#include "embedded/image_calls_cl.h"
#include "embedded/image_levels_cl.h"
#include "embedded/images_cl.h"
#include "embedded/intel_sub_groups_cl.h"
#include "embedded/libdevice_cl.h"
#include "embedded/math_cl.h"
#include "embedded/pipes_cl.h"
#include "embedded/sub_group_lanes_cl.h"
#include "embedded/sub_group_votes_cl.h"
#include "embedded/sub_groups_cl.h"
#include "embedded/vectors_cl.h"
#include "frontend/llvm_version.h"
#include "frontend/mangled_name.h"
#include "frontend/source_options.h"
#include "ir/error.h"
#include "ir/frontend.h"
#include "ir/kept_modules.h"
#include "ir/lowered_names.h"
#include "ir/plain_atomics.h"
#include "ir/protected.h"
#include "ir/tables.h"
#include "model/files.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SourceMgr.h>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

namespace gputest::ir {
namespace {

// The simulator's own functions, which libclc lacks.
struct Addition {
  const char* name;
  std::string_view text;
  std::vector<std::string> calls;            // parts of their names
  std::vector<std::string> also{}, except{}; // further parts: one of `also`, none of `except`
  std::string_view before{};                 // text that stands before
  std::string oldest = "CL1.2";              // standard; CL1.2 is the first with `static`
};

bool contains_any(llvm::StringRef name, const std::vector<std::string>& parts) {
  return std::ranges::any_of(parts, [&](const std::string& part) { return name.contains(part); });
}

using frontend::MangledName;
using frontend::parts_of_mangled;

std::string mangled_name(llvm::StringRef name, llvm::StringRef parameters) {
  return fmt::format("_Z{}{}{}", name.size(), name.str(), parameters.str());
}

constexpr const char* kOfBlock = "gputest_of_block_";

// C11 atomics whose scope is a constant and at most a work-group call functions of their own.
void choose_scopes(llvm::Module& module) {
  constexpr std::uint64_t kOfItem = 0, kOfGroup = 1, kOfSubGroup = 4; // in Clang's headers
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    const MangledName parts = parts_of_mangled(function.getName());
    if (!function.isDeclaration() || !parts.name.starts_with("atomic_") ||
        !parts.name.ends_with("_explicit") || !parts.parameters.contains("VU7_Atomic") ||
        !parts.parameters.ends_with("memory_scope"))
      continue;
    for (llvm::User* const user : llvm::make_early_inc_range(function.users())) {
      auto* const call = llvm::dyn_cast<llvm::CallBase>(user);
      const auto* const scope =
          call ? llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(call->arg_size() - 1))
               : nullptr;
      if (!scope || (scope->getZExtValue() != kOfItem && scope->getZExtValue() != kOfGroup &&
                     scope->getZExtValue() != kOfSubGroup))
        continue;
      call->setCalledFunction(
          module.getOrInsertFunction(mangled_name((kOfBlock + parts.name).str(), parts.parameters),
                                     function.getFunctionType()));
    }
    if (function.use_empty())
      function.eraseFromParent();
  }
}

void give_block_scope(llvm::Module& module) {
  const llvm::SyncScope::ID scope = module.getContext().getOrInsertSyncScopeID(kBlockScope);
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
        update->setSyncScopeID(scope);
      else if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        exchange->setSyncScopeID(scope);
      else if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
               load && load->isAtomic())
        load->setSyncScopeID(scope);
      else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
               store && store->isAtomic())
        store->setSyncScopeID(scope);
}

void link_if_called(llvm::Module& module, const Addition& addition, const std::string& cl_std) {
  const bool is_called = std::ranges::any_of(module, [&](const llvm::Function& function) {
    const llvm::StringRef name = function.getName();
    return function.isDeclaration() && (name.starts_with("_Z") || name.starts_with("__")) &&
           contains_any(name, addition.calls) &&
           (addition.also.empty() || contains_any(name, addition.also)) &&
           !contains_any(name, addition.except);
  });
  if (!is_called)
    return;
  const std::string version = std::max(frontend::opencl_c_of(cl_std), addition.oldest);
  const bool of_block = addition.calls.front() == kOfBlock;
  static KeptModules kept;
  std::unique_ptr<llvm::Module> added =
      kept.get(fmt::format("{} {}{}", addition.name, version, of_block ? " of a block" : ""),
               module.getContext(), [&](llvm::LLVMContext& context) {
                 CompiledSource compiled =
                     compile({.name = addition.name,
                              .text = std::string(addition.before) + std::string(addition.text),
                              .definitions = of_block ? std::vector<std::string>{"GPUTEST_OF_BLOCK"}
                                                      : std::vector<std::string>{},
                              .cl_std = version},
                             context);
                 if (of_block)
                   give_block_scope(*compiled.module);
                 llvm::StripDebugInfo(*compiled.module); // code has the places of its calls
                 return std::move(compiled.module);
               });
  if (llvm::Linker::linkModules(module, std::move(added), llvm::Linker::LinkOnlyNeeded))
    throw SimulatorFailure(fmt::format("the simulator's {} cannot be linked", addition.name));
}

// Whether libclc cannot have this function, which a kernel calls. Others are looked up in libclc,
// which takes some milliseconds.
bool is_of_simulator(llvm::StringRef name) {
  static constexpr std::string_view kBegins[] = {"llvm.",
                                                 "gputest_",
                                                 "_Z7barrierj",
                                                 "_Z18work_group_barrierj",
                                                 "_Z22atomic_work_item_fence",
                                                 "__translate_"};
  static const llvm::StringSet<> kNames{
      "_Z13get_global_idj",       "_Z12get_local_idj",         "_Z12get_group_idj",
      "_Z15get_global_sizej",     "_Z14get_local_sizej",       "_Z23get_enqueued_local_sizej",
      "_Z14get_num_groupsj",      "_Z17get_global_offsetj",    "_Z12get_work_dimv",
      "_Z19get_local_linear_idv", "_Z20get_global_linear_idv", "_Z9mem_fencej",
      "_Z14read_mem_fencej",      "_Z15write_mem_fencej",      "printf"};
  return kNames.contains(name) || std::ranges::any_of(kBegins, [&](std::string_view begin) {
           return name.starts_with(begin);
         });
}

// libclc's functions that this process has needed so far, as bitcode: libclc has ten thousand.
class Libclc {
public:
  // Returns a module with those of `names` that libclc has, and what they call.
  std::unique_ptr<llvm::Module> with(const std::set<std::string>& names,
                                     llvm::LLVMContext& context) {
    const std::string file = libclc_file();
    std::shared_ptr<const std::string> bitcode;
    {
      const std::scoped_lock lock(mutex_);
      Part& part = parts_[file];
      if (!std::ranges::includes(part.names, names)) {
        Part more{.names = part.names, .bitcode = nullptr};
        more.names.insert(names.begin(), names.end());
        more.bitcode = std::make_shared<const std::string>(part_of(file, more.names));
        part = std::move(more);
      }
      bitcode = part.bitcode;
    }
    return read_bitcode(*bitcode, context);
  }

private:
  struct Part {
    std::set<std::string> names;
    std::shared_ptr<const std::string> bitcode;
  };

  static std::string part_of(const std::string& file, const std::set<std::string>& names) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic error;
    std::unique_ptr<llvm::Module> library = llvm::getLazyIRFileModule(file, error, context);
    if (!library)
      throw SimulatorFailure(fmt::format(
          "{}: error: {}; OpenCL's built-in functions come from libclc (Debian: libclc-19): "
          "install it, or set GPUTEST_LIBCLC to its nvptx64--.bc",
          file, error.getMessage().str()));
    // The simulator has its own versions (work_items.h), because libclc assumes that all groups are
    // full.
    for (const char* name : {"_Z13get_global_idj", "_Z15get_global_sizej"})
      if (llvm::Function* const function = library->getFunction(name))
        function->deleteBody();
    llvm::Module part("libclc", context);
    part.setDataLayout(library->getDataLayout());
    part.setTargetTriple(library->getTargetTriple());
    for (const std::string& name : names)
      if (const llvm::Function* const function = library->getFunction(name))
        part.getOrInsertFunction(name, function->getFunctionType());
    if (llvm::Linker::linkModules(part, std::move(library), llvm::Linker::LinkOnlyNeeded))
      throw SimulatorFailure(fmt::format("{}: error: cannot be linked", file));
    return bitcode_of(part);
  }

  std::mutex mutex_;
  std::map<std::string, Part> parts_; // by file
};

// A function gputest_library_<name> is libclc's <name>, which the simulator's own function of that
// name calls: where the module defines it, libclc's gets this longer name.
constexpr llvm::StringLiteral kOfLibrary = "gputest_library_";
void name_library_functions(llvm::Module& module, llvm::Module& library) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    MangledName parts = parts_of_mangled(function.getName());
    if (!function.isDeclaration() || !parts.name.consume_front(kOfLibrary))
      continue;
    const std::string name = mangled_name(parts.name, parts.parameters);
    llvm::Function* const own = module.getFunction(name);
    if (!own) {
      function.setName(name);
    } else if (own->isDeclaration()) {
      function.replaceAllUsesWith(own);
      function.eraseFromParent();
    } else if (llvm::Function* const original = library.getFunction(name)) {
      original->setName(function.getName());
    }
  }
}

// Links what `module` calls of libclc.
void link_libclc(llvm::Module& module) {
  std::set<std::string> names;
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && !is_of_simulator(function.getName())) {
      MangledName parts = parts_of_mangled(function.getName());
      names.insert(parts.name.consume_front(kOfLibrary) ? mangled_name(parts.name, parts.parameters)
                                                        : function.getName().str());
    }
  if (names.empty())
    return;
  static Libclc libclc;
  std::unique_ptr<llvm::Module> library = libclc.with(names, module.getContext());
  library->setDataLayout(module.getDataLayout());
  library->setTargetTriple(module.getTargetTriple());
  name_library_functions(module, *library);
  if (llvm::Linker::linkModules(module, std::move(library), llvm::Linker::LinkOnlyNeeded))
    throw SimulatorFailure(fmt::format("{}: error: cannot be linked", libclc_file()));
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
  static const std::vector<Addition> kAdditions{
      {"image_levels.cl", // by the types of parameters: of depth images, and of levels
       embedded::image_levels_cl,
       {"_depth_", "samplerff", "samplerDv2_ff", "samplerDv4_ff", "samplerDv2_fS", "samplerDv4_fS",
        "samplerDv4_fDv2_f", "num_mip_levels", "oiiDv4", "wiiDv4", "Dv2_iiDv4", "Dv4_iiDv4",
        "Dv4_iiS"},
       {},
       {},
       embedded::image_calls_cl},
      {"images.cl",
       embedded::images_cl,
       {"read_image", "write_image", "get_image_"},
       {},
       {},
       embedded::image_calls_cl},
      {"builtins.cl", embedded::builtins_cl, {"atom_", "mad_hi", "3ctz", "clock_read_"}},
      {"libdevice.cl", embedded::libdevice_cl, {"__nv_"}},
      {"atomics.cl", embedded::atomics_cl, {kOfBlock}},
      {"atomics.cl", embedded::atomics_cl, {"VU7_Atomic"}, {}, {kOfBlock}},
      {"device_queues.cl", embedded::device_queues_cl, {"ndrange_"}, {}, {}, {}, "CL2.0"},
      {"group_pipes.cl",
       embedded::group_pipes_cl,
       {"_group_reserve_", "_group_commit_"},
       {},
       {},
       embedded::sub_group_lanes_cl,
       "CL2.0"},
      {"pipes.cl",
       embedded::pipes_cl,
       {"__read_pipe_", "__write_pipe_", "__reserve_", "__commit_", "__get_pipe_"},
       {},
       {},
       {},
       "CL2.0"},
      {"collectives.cl",
       embedded::collectives_cl,
       {"work_group_all", "work_group_any", "work_group_broadcast", "work_group_reduce_",
        "work_group_scan_"}},
      {"intel_sub_groups.cl",
       embedded::intel_sub_groups_cl,
       {"intel_sub_group_"},
       {},
       {},
       embedded::sub_group_lanes_cl,
       "CL2.0"},
      {"sub_group_votes.cl",
       embedded::sub_group_votes_cl,
       {"sub_group_ballot", "sub_group_inverse_ballot", "sub_group_non_uniform_",
        "sub_group_broadcast_first", "sub_group_clustered_", "sub_group_elect", "sub_group_rotate",
        "sub_group_shuffle", "get_sub_group_eq_mask", "get_sub_group_ge_mask",
        "get_sub_group_gt_mask", "get_sub_group_le_mask", "get_sub_group_lt_mask"},
       {},
       {},
       embedded::sub_group_lanes_cl,
       "CL2.0"},
      {"sub_groups.cl",
       embedded::sub_groups_cl,
       {"sub_group"},
       {},
       {},
       embedded::sub_group_lanes_cl,
       "CL2.0"},
      {"half_math.cl",
       embedded::half_math_cl,
       {"Dh"},
       {},
       {"convert_", "load_half", "loada_half", "store_half", "storea_half"},
       embedded::vectors_cl},
      {"exponentials.cl", // of float
       embedded::exponentials_cl,
       {"3expf", "3expDv", "4exp2f", "4exp2Dv", "4erfcf", "4erfcDv"},
       {"f"},
       {},
       embedded::vectors_cl},
      {"math.cl", // of double
       embedded::math_cl,
       {"3erf", "3sin", "3tan", "4atan", "6atanpi", "5expm1", "6sincos"},
       {"d"},
       {},
       embedded::vectors_cl},
      {"math.cl",
       embedded::math_cl,
       {"3nan", "4fmod", "5fract", "5ldexp", "5rootn", "5tanpi", "6lgamma", "6remquo", "6tgamma",
        "7mad_sat", "7sub_sat", "8lgamma_r", "9nextafter", "9remainder", "10smoothstepddDv"},
       {},
       {},
       embedded::vectors_cl},
      {"bits.cl",
       embedded::bits_cl,
       {"bit_reverse", "bitfield_", "dot_acc_sat", "dot_4x8packed_", "3dotDv4_c", "3dotDv4_h"},
       {},
       {},
       embedded::vectors_cl},
      {"half_stores.cl",
       embedded::half_stores_cl,
       {"vstore_half", "vstorea_half"},
       {"_rtp", "_rtn"},
       {},
       embedded::vectors_cl},
      {"half_conversions.cl",
       embedded::half_conversions_cl,
       {"convert_"},
       {"convert_half", "Dh"},
       {},
       embedded::vectors_cl},
      {"conversions.cl",
       embedded::conversions_cl,
       {"convert_"},
       {"_sat"},
       {"convert_half", "char", "short"},
       embedded::vectors_cl},
      {"conversions.cl",
       embedded::conversions_cl,
       {"convert_float", "convert_double"},
       {"_rtp", "_rtn", "_rtz"},
       {},
       embedded::vectors_cl}};
  static const Addition kCopies{
      "copies.cl", embedded::copies_cl, {"async_work_group_", "wait_group_events"}};
  choose_scopes(module);
  for (const Addition& addition : kAdditions)
    link_if_called(module, addition, cl_std);
  if (whole_copies)
    link_if_called(module, kCopies, cl_std);
  llvm::StringSet<> before;
  for (const llvm::GlobalVariable& variable : module.globals())
    before.insert(variable.getName());
  llvm::StringSet<> defined;
  for (const llvm::Function& function : module)
    if (!function.isDeclaration())
      defined.insert(function.getName());
  define_plain_atomics(module);
  link_libclc(module);
  for (llvm::Function& function : module)
    if (!defined.contains(function.getName()))
      relax(function);
  std::vector<llvm::GlobalVariable*> tables;
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.isConstant() && variable.hasInitializer() && !before.contains(variable.getName()))
      tables.push_back(&variable);
  guard_tables(module, tables);
  frontend::llvm_version::count_plainly(module);
  mark_library(module);
}

} // namespace gputest::ir
