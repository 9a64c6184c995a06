// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/frontend.h"

#include "frontend/clang_run.h"
#include "frontend/llvm_version.h"
#include "frontend/source_options.h"
#include "ir/emit.h"
#include "ir/error.h"
#include "ir/kept_modules.h"
#include "ir/places.h"
#include "ir/sub_group_size.h"

#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>
#include <llvm/TargetParser/Host.h>

namespace gputest::ir {
namespace {

std::string clang_place(clang::SourceLocation location, const clang::SourceManager& manager) {
  const clang::PresumedLoc place = manager.getPresumedLoc(location);
  if (place.isInvalid())
    return "";
  return fmt::format("{}:{}:{}", place.getFilename(), place.getLine(), place.getColumn());
}

// Options of clBuildProgram (OpenCL 1.2, 5.6.4) that Clang's own driver knows by the same name.
void add_option(const std::string& option, std::vector<std::string>& arguments) {
  static constexpr std::string_view kKnown[] = {"-cl-single-precision-constant",
                                                "-cl-denorms-are-zero",
                                                "-cl-fp32-correctly-rounded-divide-sqrt",
                                                "-cl-opt-disable",
                                                "-cl-mad-enable",
                                                "-cl-no-signed-zeros",
                                                "-cl-unsafe-math-optimizations",
                                                "-cl-finite-math-only",
                                                "-cl-fast-relaxed-math",
                                                "-cl-uniform-work-group-size",
                                                "-fwrapv"}; // an option of Clang only
  // These two are ignored, because rounding would depend on the machine. They only affect speed.
  if (option == "-cl-mad-enable" || option == "-cl-opt-disable" ||
      option == "-cl-strict-aliasing" || option == "-cl-kernel-arg-info" || option == "-g")
    return;
  for (const std::string_view known : kKnown)
    if (option == known) {
      arguments.push_back(option);
      return;
    }
  if (option == "-w" || option == "-Werror" || option.starts_with("-W"))
    return; // warnings are not shown
  throw InputError(fmt::format("build option '{}' is not known to the simulator; leave it out, or "
                               "use another device",
                               option));
}

// Features of OpenCL C 2.0 and later that Clang assumes only of its target SPIR.
constexpr const char* kFeatures[] = {"__opencl_c_work_group_collective_functions=1",
                                     "__opencl_c_atomic_order_seq_cst=1",
                                     "__opencl_c_atomic_scope_device=1",
                                     "__opencl_c_atomic_scope_all_devices=1",
                                     "cl_ext_float_atomics=1",
                                     "__opencl_c_ext_fp16_global_atomic_load_store=1",
                                     "__opencl_c_ext_fp16_local_atomic_load_store=1",
                                     "__opencl_c_ext_fp16_global_atomic_add=1",
                                     "__opencl_c_ext_fp16_local_atomic_add=1",
                                     "__opencl_c_ext_fp16_global_atomic_min_max=1",
                                     "__opencl_c_ext_fp16_local_atomic_min_max=1",
                                     "__opencl_c_ext_fp32_global_atomic_add=1",
                                     "__opencl_c_ext_fp32_local_atomic_add=1",
                                     "__opencl_c_ext_fp32_global_atomic_min_max=1",
                                     "__opencl_c_ext_fp32_local_atomic_min_max=1",
                                     "__opencl_c_ext_fp64_global_atomic_add=1",
                                     "__opencl_c_ext_fp64_local_atomic_add=1",
                                     "__opencl_c_ext_fp64_global_atomic_min_max=1",
                                     "__opencl_c_ext_fp64_local_atomic_min_max=1",
                                     "cl_khr_expect_assume=1",
                                     "cl_khr_extended_bit_ops=1",
                                     "cl_khr_integer_dot_product=1",
                                     "__opencl_c_integer_dot_product_input_4x8bit=1",
                                     "__opencl_c_integer_dot_product_input_4x8bit_packed=1",
                                     "cl_khr_kernel_clock=1",
                                     "__opencl_c_kernel_clock_scope_device=1",
                                     "__opencl_c_kernel_clock_scope_work_group=1",
                                     "__opencl_c_kernel_clock_scope_sub_group=1",
                                     "cl_khr_subgroup_ballot=1",
                                     "cl_khr_subgroup_clustered_reduce=1",
                                     "cl_khr_subgroup_extended_types=1",
                                     "cl_khr_subgroup_non_uniform_arithmetic=1",
                                     "cl_khr_subgroup_non_uniform_vote=1",
                                     "cl_khr_subgroup_rotate=1",
                                     "cl_khr_subgroup_shuffle=1",
                                     "cl_khr_subgroup_shuffle_relative=1"};

std::vector<std::string> arguments_for(const Source& source) {
  const std::string standard = source.cl_std.empty() ? "CL1.2" : source.cl_std;
  const bool cpp = frontend::is_cpp_for_opencl(standard);
  const std::string of_c = frontend::opencl_c_of(standard);
  std::string version = "120";
  if (of_c.size() == 5 && of_c.starts_with("CL"))
    version = fmt::format("{}{}0", of_c[2], of_c[4]);
  std::vector<std::string> arguments{
      "-triple", "nvptx64-unknown-unknown", "-x", cpp ? "clcpp" : "cl", "-cl-std=" + standard,
      "-cl-ext=+all", "-O2", "-disable-llvm-passes", "-debug-info-kind=line-tables-only",
      "-dwarf-version=5",
      "-fdebug-compilation-dir=.", // files have the names that the source uses
      "-ffp-contract=off", "-w", "-ferror-limit", "50",
      // Macros of Clang's target that no OpenCL device defines.
      "-U__NVPTX__", "-U__PTX__", "-D__OPENCL_VERSION__=" + version, "-D__ENDIAN_LITTLE__=1",
      "-D__IMAGE_SUPPORT__=1"};
  if (cpp)
    arguments.emplace_back("-fno-finite-loops"); // work-items may wait for each other
  else                                           // C++ has a macro of its own
    arguments.push_back("-D__OPENCL_C_VERSION__=" + version);
  if (!standard.starts_with("CL1"))
    for (const char* feature : kFeatures)
      arguments.push_back(std::string("-D") + feature);
  for (const std::string& definition : source.definitions)
    arguments.push_back("-D" + definition);
  for (const std::string& folder : source.include_directories) {
    arguments.push_back("-I");
    arguments.push_back(folder);
  }
  for (const std::string& option : source.options)
    add_option(option, arguments);
  return arguments;
}

} // namespace

Source with_text(Source source, std::string text) {
  source.text = std::move(text);
  source.device_code.clear();
  source.entry.clear();
  return source;
}

CompiledSource compile(const Source& source, llvm::LLVMContext& context) {
  std::vector<std::string> arguments = arguments_for(source);
  arguments.insert(arguments.end(), {"-main-file-name", source.name});
  auto files =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  files->pushOverlay(frontend::as_file(source.text, arguments));
  frontend::Messages messages(clang_place);
  EmitModule action(context);
  if (llvm::Error error = frontend::run_clang(arguments, files, messages, action))
    throw SourceError(llvm::toString(std::move(error)));
  std::unique_ptr<llvm::Module> module = action.takeModule();
  frontend::llvm_version::join_kernels(*module);
  choose_sub_group_size(*module, source.definitions);
  choose_lock_step(*module, source.definitions);
  if (frontend::is_cpp_for_opencl(source.cl_std))
    call_it_c(*module);
  return {std::move(module), action.dependencies()};
}

namespace {

std::unique_ptr<llvm::Module> compile_anew(const std::string& text, llvm::LLVMContext& context) {
  const std::string file = "/gputest/simulator.c";
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  files->addFile(file, 0, llvm::MemoryBuffer::getMemBufferCopy(text, file));
  const std::vector<std::string> arguments{
      "-triple", llvm::sys::getProcessTriple(), "-x", "c", "-std=c17", "-O2",
      "-disable-llvm-passes", "-discard-value-names", "-fno-builtin", "-w",
      // Code inlined into a function without lines loses its lines.
      "-debug-info-kind=line-tables-only", "-dwarf-version=5", file};
  frontend::Messages messages(clang_place);
  clang::EmitLLVMOnlyAction action(&context);
  if (llvm::Error error = frontend::run_clang(arguments, files, messages, action))
    throw SimulatorFailure(llvm::toString(std::move(error)));
  return action.takeModule();
}

} // namespace

std::unique_ptr<llvm::Module> compile_c(const std::string& text, llvm::LLVMContext& context) {
  static KeptModules kept;
  std::unique_ptr<llvm::Module> module =
      kept.get(text, context, [&](llvm::LLVMContext& own) { return compile_anew(text, own); });
  if (llvm::Error error = module->materializeAll())
    throw SimulatorFailure(llvm::toString(std::move(error)));
  return module;
}

} // namespace gputest::ir
