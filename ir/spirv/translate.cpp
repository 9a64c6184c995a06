// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/spirv/translate.h"

#include "frontend/spirv/declarations.h"
#include "ir/error.h"
#include "ir/kept_modules.h"
#include "ir/places.h"
#include "ir/spirv/address_spaces.h"
#include "ir/spirv/lines.h"
#include "ir/spirv/names.h"
#include "ir/spirv/places.h"
#include "model/files.h"
#include "model/interface.h"

#include <cstdlib>
#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CallingConv.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/FileUtilities.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/SourceMgr.h>

#include <array>
#include <sstream>
#include <string_view>
#include <vector>

namespace gputest::ir {
namespace {

constexpr std::array<const char*, 6> kTranslators{"llvm-spirv-19", "llvm-spirv-18", "llvm-spirv-17",
                                                  "llvm-spirv-16", "llvm-spirv-15", "llvm-spirv"};
constexpr unsigned kMostSeconds = 120;

// A file that is removed again.
class TemporaryFile {
public:
  explicit TemporaryFile(const char* ending) {
    if (llvm::sys::fs::createTemporaryFile("gputest-spirv", ending, path_))
      throw SimulatorFailure("no temporary file can be made for a SPIR-V module");
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { llvm::sys::fs::remove(path_); }

  std::string path() const { return std::string(path_.str()); }

private:
  llvm::SmallString<128> path_;
};

// The first line that tells what is wrong, without a stack.
std::string reason_of(const std::string& output) {
  std::istringstream lines(output);
  std::string line;
  while (std::getline(lines, line))
    if (!line.empty())
      return line;
  return "it says nothing";
}

std::string translator_for(const std::string& name) {
  if (const std::optional<std::string> found = spirv_translator())
    return *found;
  throw SourceError(fmt::format("{}: error: the simulator reads SPIR-V by the program llvm-spirv, "
                                "which is not there: install it (Debian, Ubuntu: apt install "
                                "llvm-spirv-15), or set GPUTEST_LLVM_SPIRV to its path",
                                name));
}

// Atomic functions of OpenCL C 2.0 take pointers to any memory, which the module says it has.
bool has_generic_pointers(const model::SpirvModule& module) {
  constexpr std::uint32_t kGenericPointer = 38;
  return llvm::any_of(module.instructions(), [](const model::SpirvInstruction& instruction) {
    return instruction.op == model::spirv::Capability &&
           instruction.operands.front() == kGenericPointer;
  });
}

std::unique_ptr<llvm::Module> run_translator(const model::SpirvModule& module,
                                             const std::string& name, llvm::LLVMContext& context) {
  const std::string program = translator_for(name);
  const std::vector<std::uint32_t> words = with_places(module, name);
  const TemporaryFile input("spv"), output("bc"), messages("txt");
  model::write_atomically(input.path(),
                          {reinterpret_cast<const char*>(words.data()), 4 * words.size()});
  const std::string environment =
      fmt::format("--spirv-target-env={}", has_generic_pointers(module) ? "CL2.0" : "CL1.2");
  const std::string in = input.path(), out = output.path(), log = messages.path();
  const std::vector<llvm::StringRef> command{program, "-r", "--spirv-ext=+all", environment, in,
                                             "-o",    out};
  std::string failure;
  const int code = llvm::sys::ExecuteAndWait(
      program, command, std::nullopt, {llvm::StringRef(""), log, log}, kMostSeconds, 0, &failure);
  if (code != 0)
    throw SourceError(fmt::format("{}: error: llvm-spirv cannot translate this SPIR-V {}: {}", name,
                                  module.version(),
                                  reason_of(model::read_text(log).value_or(failure))));
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> translated = llvm::parseIRFile(out, error, context);
  if (!translated)
    throw SourceError(fmt::format("{}: error: what {} makes of it cannot be read: {}", name,
                                  program, error.getMessage().str()));
  return translated;
}

void call_as_c(llvm::Module& module) {
  for (llvm::Function& function : module) {
    function.setCallingConv(llvm::CallingConv::C);
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        call->setCallingConv(llvm::CallingConv::C);
  }
}

void rename_builtins(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.isIntrinsic())
      continue;
    const std::string name = name_for_nvptx(function.getName());
    if (name == function.getName())
      continue;
    if (llvm::Function* const other = module.getFunction(name)) {
      function.replaceAllUsesWith(other);
      function.eraseFromParent();
    } else {
      function.setName(name);
    }
  }
}

void name_parameters(llvm::Module& module, const model::SpirvModule& spirv) {
  for (const auto& [kernel, names] : frontend::parameter_names(spirv))
    if (llvm::Function* const function = module.getFunction(kernel))
      for (llvm::Argument& argument : function->args())
        if (argument.getArgNo() < names.size())
          argument.setName(names[argument.getArgNo()]);
}

// Variables of debug information would keep what the code no longer has, and types that llvm-spirv
// makes of it are not always such as LLVM can write.
void keep_lines_only(llvm::Module& module) {
  llvm::stripNonLineTableDebugInfo(module);
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      instruction.dropDbgRecords();
      if (llvm::isa<llvm::DbgInfoIntrinsic>(instruction))
        instruction.eraseFromParent();
    }
}

std::unique_ptr<llvm::Module> translate_anew(const std::string& bytes, const std::string& name,
                                             llvm::LLVMContext& context) {
  try {
    const model::SpirvModule spirv(bytes, name);
    std::unique_ptr<llvm::Module> module = for_nvptx(run_translator(spirv, name, context));
    call_as_c(*module);
    rename_builtins(*module);
    name_parameters(*module, spirv);
    keep_lines_only(*module);
    fill_lines(*module);
    call_it_c(*module);
    return module;
  } catch (const model::FormatError& error) {
    throw SourceError(error.what());
  }
}

} // namespace

std::optional<std::string> spirv_translator() {
  if (const char* const given = std::getenv("GPUTEST_LLVM_SPIRV"); given && *given)
    return llvm::sys::fs::can_execute(given) ? std::optional<std::string>(given) : std::nullopt;
  for (const char* const name : kTranslators)
    if (auto found = llvm::sys::findProgramByName(name))
      return *found;
  return std::nullopt;
}

std::unique_ptr<llvm::Module> translate_spirv(const std::string& bytes, const std::string& name,
                                              llvm::LLVMContext& context) {
  static KeptModules kept;
  std::unique_ptr<llvm::Module> module =
      kept.get(name + '\n' + bytes, context,
               [&](llvm::LLVMContext& own) { return translate_anew(bytes, name, own); });
  if (llvm::Error error = module->materializeAll())
    throw SimulatorFailure(llvm::toString(std::move(error)));
  return module;
}

} // namespace gputest::ir
