// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/kernels/device_code.h"

#include "frontend/llvm_version.h"
#include "ir/cuda/annotations.h"
#include "ir/cuda/container.h"
#include "ir/cuda/contraction.h"
#include "ir/cuda/conversions.h"
#include "ir/cuda/functions.h"
#include "ir/cuda/math_names.h"
#include "ir/cuda/misaligned.h"
#include "ir/cuda/ptx/matrices.h"
#include "ir/cuda/ptx/module.h"
#include "ir/cuda/ptx/textures.h"
#include "ir/cuda/shifts.h"
#include "ir/cuda/warp_size.h"
#include "ir/cuda_mark.h"
#include "ir/error.h"
#include "ir/host.h"
#include "ir/kernels/intrinsics.h"
#include "ir/kernels/kernel_addresses.h"
#include "ir/places.h"
#include "ir/sub_group_size.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace gputest::ir {
namespace {

bool is_of_headers(const llvm::DISubprogram& place, const std::string& headers) {
  const std::filesystem::path file =
      std::filesystem::path(place.getDirectory().str()) / place.getFilename().str();
  const std::string text = file.lexically_normal().string();
  return (!headers.empty() && text.starts_with(headers)) ||
         text.find("/__clang_cuda") != std::string::npos ||
         text.find("/cuda_wrappers/") != std::string::npos;
}

// Whether nvcc contracts a header's functions as it does a program's: those of complex numbers are
// plain formulas. All others of this project compute as written.
bool is_contracted(const llvm::DISubprogram& place) {
  return place.getFilename().ends_with("cuComplex.h");
}

// Removes the places of header code, so that it gets those of the calls when it is inlined, and
// leaves its arithmetic as it is.
void settle_headers(llvm::Module& module, const std::string& headers) {
  for (llvm::Function& function : module) {
    const llvm::DISubprogram* const place = function.getSubprogram();
    if (!place || !is_of_headers(*place, headers))
      continue;
    if (!is_contracted(*place))
      forbid_contraction(function);
    function.setSubprogram(nullptr);
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      instruction.setDebugLoc({});
      instruction.dropDbgRecords();
    }
  }
}

std::unique_ptr<llvm::Module> read_one(const cuda::Container& container,
                                       llvm::LLVMContext& context) {
  const auto* const code = reinterpret_cast<const unsigned char*>(container.code.data());
  if (!llvm::isBitcode(code, code + container.code.size())) {
    std::unique_ptr<llvm::Module> module = read_ptx(container.code, container.headers, context);
    module->setTargetTriple(frontend::llvm_version::TargetName("nvptx64-unknown-unknown"));
    return module;
  }
  llvm::Expected<std::unique_ptr<llvm::Module>> module =
      llvm::parseBitcodeFile(llvm::MemoryBufferRef(container.code, "device code"), context);
  if (!module)
    throw SourceError(
        fmt::format("error: the program's device code cannot be read: {}; build it again with the "
                    "gputest-cuda that belongs to this simulator",
                    llvm::toString(module.takeError())));
  (*module)->setTargetTriple(frontend::llvm_version::TargetName(
      "nvptx64-unknown-unknown")); // the target of the built-in functions
  call_it_c(**module);
  settle_headers(**module, container.headers);
  clamp_shifts(**module);
  saturate_conversions(**module);
  return std::move(*module);
}

bool is_variable(const llvm::GlobalVariable& variable) {
  const unsigned space = variable.getAddressSpace();
  return (space == kGlobalSpace || space == kConstantSpace) && variable.hasInitializer() &&
         !variable.getName().starts_with("llvm.") &&
         (!variable.isConstant() || variable.isExternallyInitialized());
}

// Constants that initial values point to are in memory, too.
void add_constants_of(const llvm::Constant& value, std::set<const llvm::GlobalVariable*>& found,
                      std::vector<const llvm::GlobalVariable*>& order) {
  if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(&value)) {
    if (variable->hasInitializer() && found.insert(variable).second) {
      order.push_back(variable);
      add_constants_of(*variable->getInitializer(), found, order);
    }
    return;
  }
  for (const llvm::Use& operand : value.operands())
    if (const auto* const constant = llvm::dyn_cast<llvm::Constant>(operand))
      add_constants_of(*constant, found, order);
}

bool refers_to_variable(const llvm::Constant& value) {
  if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(&value))
    return is_variable(*variable);
  return std::ranges::any_of(value.operands(), [](const llvm::Use& operand) {
    const auto* const constant = llvm::dyn_cast<llvm::Constant>(operand);
    return constant && refers_to_variable(*constant);
  });
}

// Addresses of variables are known when the program runs. So constants that hold addresses are
// variables, too, and so are constants that hold the addresses of these. Initial values of private
// variables become code instead (ir/placed.h).
void place_constants_with_addresses(llvm::Module& module) {
  for (bool found = true; found;) {
    found = false;
    for (llvm::GlobalVariable& variable : module.globals()) {
      const unsigned space = variable.getAddressSpace();
      if (!variable.isConstant() || variable.isExternallyInitialized() ||
          variable.hasPrivateLinkage() || !variable.hasInitializer() ||
          variable.getName().starts_with("llvm.") ||
          (space != 0 && space != kGlobalSpace && space != kConstantSpace) ||
          !refers_to_variable(*variable.getInitializer()))
        continue;
      variable.setConstant(false);
      variable.setExternallyInitialized(true);
      found = true;
    }
  }
}

// Texture and surface references hold objects that the host writes; at first they are 0.
void begin_references(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.hasInitializer() && variable.getAddressSpace() == kGlobalSpace &&
        llvm::isa<llvm::UndefValue>(variable.getInitializer()) &&
        variable.getValueType()->isIntegerTy(64)) {
      variable.setInitializer(llvm::Constant::getNullValue(variable.getValueType()));
      variable.setExternallyInitialized(true);
    }
}

class Writer {
public:
  Writer(const llvm::DataLayout& layout, const std::map<std::string, std::uint64_t>& addresses)
      : layout_(layout), addresses_(addresses) {}

  void write(const llvm::Constant& value, std::string& bytes, std::size_t at) const {
    if (value.isNullValue() || llvm::isa<llvm::UndefValue>(value))
      return;
    const std::size_t size = layout_.getTypeStoreSize(value.getType()).getFixedValue();
    if (const auto* const data = llvm::dyn_cast<llvm::ConstantDataSequential>(&value)) {
      const llvm::StringRef raw = data->getRawDataValues();
      bytes.replace(at, raw.size(), raw.data(), raw.size());
    } else if (const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
      write_bits(number->getValue(), bytes, at, size);
    } else if (const auto* const real = llvm::dyn_cast<llvm::ConstantFP>(&value)) {
      write_bits(real->getValueAPF().bitcastToAPInt(), bytes, at, size);
    } else if (const auto* const parts = llvm::dyn_cast<llvm::ConstantAggregate>(&value)) {
      for (unsigned i = 0; i < parts->getNumOperands(); ++i)
        write(*parts->getOperand(i), bytes, at + offset_of(*parts, i));
    } else {
      write_bits(llvm::APInt(64, address_of(value)), bytes, at, std::min<std::size_t>(size, 8));
    }
  }

private:
  static void write_bits(const llvm::APInt& bits, std::string& bytes, std::size_t at,
                         std::size_t size) {
    const unsigned width = bits.getBitWidth();
    for (unsigned i = 0; i < size && 8 * i < width; ++i)
      bytes[at + i] =
          static_cast<char>(bits.extractBitsAsZExtValue(std::min(8U, width - 8 * i), 8 * i));
  }

  std::size_t offset_of(const llvm::ConstantAggregate& parts, unsigned index) const {
    if (auto* const type = llvm::dyn_cast<llvm::StructType>(parts.getType()))
      return layout_.getStructLayout(type)->getElementOffset(index).getFixedValue();
    const llvm::Type* const element = parts.getOperand(index)->getType();
    return index * layout_.getTypeAllocSize(const_cast<llvm::Type*>(element)).getFixedValue();
  }

  std::uint64_t address_of(const llvm::Constant& value) const {
    llvm::APInt offset(64, 0);
    const llvm::Value* base = &value;
    while (true) {
      base = base->stripAndAccumulateConstantOffsets(layout_, offset, true);
      const auto* const cast = llvm::dyn_cast<llvm::ConstantExpr>(base);
      if (!cast || !cast->isCast())
        break;
      base = cast->getOperand(0);
    }
    if (const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(base))
      return number->getZExtValue() + offset.getZExtValue();
    if (llvm::isa<llvm::ConstantPointerNull>(base))
      return offset.getZExtValue();
    const auto found = addresses_.find(base->getName().str());
    if (found == addresses_.end())
      throw SourceError(fmt::format("error: a variable of the device begins with the address of "
                                    "'{}', which has none in global memory",
                                    base->getName().str()));
    return found->second + offset.getZExtValue();
  }

  const llvm::DataLayout& layout_;
  const std::map<std::string, std::uint64_t>& addresses_;
};

// Pointers among a kernel's parameters are to global memory (CUDA C++ Programming Guide, "Kernel
// Arguments").
void point_to_global_memory(llvm::Function& kernel) {
  llvm::IRBuilder<> builder(&kernel.getEntryBlock(), kernel.getEntryBlock().getFirstInsertionPt());
  for (llvm::Argument& argument : kernel.args()) {
    if (!argument.getType()->isPointerTy() || argument.hasByValAttr() || argument.use_empty())
      continue;
    auto* const global = llvm::cast<llvm::Instruction>(builder.CreateAddrSpaceCast(
        &argument, llvm::PointerType::get(kernel.getContext(), kGlobalSpace)));
    llvm::Value* const generic = builder.CreateAddrSpaceCast(global, argument.getType());
    argument.replaceUsesWithIf(generic,
                               [&](const llvm::Use& use) { return use.getUser() != global; });
  }
}

// Clang keeps explicit instantiations of templates inside their unit, where nvcc's -rdc=true lets
// other units use them. They have a comdat, which `static` functions lack.
void share_instantiations(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (function.hasInternalLinkage() && function.hasComdat())
      function.setLinkage(llvm::GlobalValue::WeakODRLinkage);
}

} // namespace

std::unique_ptr<llvm::Module> read_device_code(const std::string& containers,
                                               llvm::LLVMContext& context, Undefined undefined) {
  std::unique_ptr<llvm::Module> module;
  std::string_view rest = containers;
  while (!rest.empty()) {
    const std::optional<cuda::Container> container = cuda::take_container(rest);
    if (!container)
      throw SourceError("error: the program's device code is not what gputest-cuda writes");
    std::unique_ptr<llvm::Module> one = read_one(*container, context);
    share_instantiations(*one);
    if (module)
      one->setDataLayout(module->getDataLayout());
    if (!module)
      module = std::move(one);
    else if (llvm::Linker::linkModules(*module, std::move(one)))
      throw SourceError("error: the device code of two units of the program cannot be linked; "
                        "both define a function or variable of the same name");
  }
  if (!module)
    throw SourceError("error: the program has no device code");
  choose_warp_size(*module);
  take_lock_step(*module);
  if (undefined == Undefined::Refused)
    refuse_undefined(*module);
  for (const char* name : {"llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable* const list = module->getGlobalVariable(name, true))
      list->eraseFromParent();
  limit_alignments(*module);
  describe_kernels(*module);
  number_functions(*module);
  begin_references(*module);
  place_constants_with_addresses(*module);
  mark_as_cuda(*module);
  for (const auto& [kernel, threads] : frontend::llvm_version::cuda_kernels(*module))
    const_cast<llvm::Function*>(kernel)->setMetadata("kernel_arg_type",
                                                     llvm::MDNode::get(context, {}));
  return module;
}

std::unique_ptr<llvm::Module> device_kernel(const std::string& containers,
                                            const std::string& kernel, llvm::LLVMContext& context) {
  std::unique_ptr<llvm::Module> module = read_device_code(containers, context);
  if (llvm::GlobalVariable* const list = module->getGlobalVariable("llvm.global.annotations", true))
    list->eraseFromParent();
  if (llvm::Function* const function = module->getFunction(kernel);
      function && !function->isDeclaration())
    point_to_global_memory(*function);
  link_texture_functions(*module);
  name_math_functions(*module);
  lower_intrinsics(*module);
  settle_static_shared(*module, kernel);
  settle_warp_size(*module);
  return module;
}

std::vector<DeviceKernel> device_kernels(const llvm::Module& module) {
  const llvm::DataLayout& layout = module.getDataLayout();
  std::vector<DeviceKernel> kernels;
  const auto known = frontend::llvm_version::cuda_kernels(module);
  const auto clusters = clusters_of_kernels(module);
  for (const llvm::Function& function : module) {
    const auto found = known.find(&function);
    if (found == known.end())
      continue;
    DeviceKernel kernel{.name = function.getName().str(), .offsets = {}, .sizes = {}};
    std::size_t end = 0;
    for (const llvm::Argument& argument : function.args()) { // as lower() places them
      llvm::Type* const type =
          argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
      std::size_t alignment = layout.getABITypeAlign(type).value();
      if (argument.hasByValAttr())
        alignment = std::max<std::size_t>(alignment, argument.getParamAlign().valueOrOne().value());
      kernel.offsets.push_back(llvm::alignTo(end, alignment));
      kernel.sizes.push_back(layout.getTypeAllocSize(type));
      end = kernel.offsets.back() + kernel.sizes.back();
    }
    kernel.shared_size = shared_size(function, known);
    kernel.most_threads = found->second > 0 ? found->second : kMostThreads;
    if (const auto cluster = clusters.find(kernel.name); cluster != clusters.end())
      kernel.cluster = cluster->second;
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

std::vector<DeviceVariable> device_variables(llvm::Module& module) {
  const std::set<std::string> managed = managed_variables(module);
  std::set<const llvm::GlobalVariable*> found;
  std::vector<const llvm::GlobalVariable*> order;
  for (const llvm::GlobalVariable& variable : module.globals())
    if (is_variable(variable) && found.insert(&variable).second) {
      order.push_back(&variable);
      add_constants_of(*variable.getInitializer(), found, order);
    }
  std::vector<DeviceVariable> variables;
  const llvm::DataLayout& layout = module.getDataLayout();
  for (const llvm::GlobalVariable* variable : order)
    if (variable->getAddressSpace() != kLocalSpace)
      variables.push_back(
          {.name = variable->getName().str(),
           .size = layout.getTypeAllocSize(variable->getValueType()),
           .alignment =
               layout.getValueOrABITypeAlignment(variable->getAlign(), variable->getValueType())
                   .value(),
           .constant = variable->getAddressSpace() == kConstantSpace || variable->isConstant(),
           .managed = managed.contains(variable->getName().str())});
  return variables;
}

std::string initial_bytes(llvm::Module& module, const std::string& variable,
                          const std::map<std::string, std::uint64_t>& addresses) {
  const llvm::GlobalVariable* const global = module.getGlobalVariable(variable, true);
  const llvm::DataLayout& layout = module.getDataLayout();
  std::string bytes(layout.getTypeAllocSize(global->getValueType()), '\0');
  Writer(layout, addresses).write(*global->getInitializer(), bytes, 0);
  return bytes;
}

} // namespace gputest::ir
