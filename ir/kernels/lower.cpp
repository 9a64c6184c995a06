// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/kernels/lower.h"

#include "ir/alignment.h"
#include "ir/cuda/by_itself.h"
#include "ir/cuda/contraction.h"
#include "ir/cuda/functions.h"
#include "ir/cuda/lock_step.h"
#include "ir/cuda/shared_addresses.h"
#include "ir/cuda/spins.h"
#include "ir/cuda_mark.h"
#include "ir/error.h"
#include "ir/host.h"
#include "ir/kernels/blocks.h"
#include "ir/kernels/generic_pointers.h"
#include "ir/kernels/inline.h"
#include "ir/kernels/lock_step.h"
#include "ir/kernels/pipes.h"
#include "ir/kernels/work_items.h"
#include "ir/padding.h"
#include "ir/placed.h"
#include "ir/sub_group_size.h"

#include <filesystem>
#include <fmt/format.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>

namespace gputest::ir {
namespace {

bool is_kernel(const llvm::Function& function) {
  return function.hasMetadata("kernel_arg_type");
}

std::string metadata_string(const llvm::Function& kernel, const char* kind, unsigned index) {
  const llvm::MDNode* node = kernel.getMetadata(kind);
  if (!node || index >= node->getNumOperands())
    return "";
  const auto* text = llvm::dyn_cast<llvm::MDString>(node->getOperand(index));
  return text ? text->getString().str() : "";
}

Parameter::Kind kind_of(const llvm::Argument& argument, const std::string& type) {
  if (type == "sampler_t")
    return Parameter::Kind::Sampler;
  if (llvm::StringRef(type).starts_with("image"))
    return Parameter::Kind::Image;
  if (!argument.getType()->isPointerTy() || argument.hasByValAttr() || type == "queue_t")
    return Parameter::Kind::Value;
  return argument.getType()->getPointerAddressSpace() == kLocalSpace ? Parameter::Kind::Local
                                                                     : Parameter::Kind::Buffer;
}

void describe_parameters(const llvm::Function& kernel, KernelShape& shape) {
  const llvm::DataLayout& layout = kernel.getParent()->getDataLayout();
  for (const llvm::Argument& argument : kernel.args()) {
    Parameter parameter;
    parameter.name = argument.getName().str();
    parameter.type = metadata_string(kernel, "kernel_arg_base_type", argument.getArgNo());
    parameter.kind = kind_of(argument, parameter.type);
    parameter.constant =
        parameter.kind == Parameter::Kind::Buffer &&
        llvm::StringRef(metadata_string(kernel, "kernel_arg_type_qual", argument.getArgNo()))
            .contains("const");
    if (llvm::StringRef(metadata_string(kernel, "kernel_arg_type_qual", argument.getArgNo()))
            .contains("pipe")) {
      parameter.pipe = true;
      parameter.constant =
          metadata_string(kernel, "kernel_arg_access_qual", argument.getArgNo()) != "write_only";
    }
    llvm::Type* const type =
        argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    const std::size_t alignment =
        argument.hasByValAttr()
            ? std::max<std::size_t>(argument.getParamAlign().valueOrOne().value(),
                                    layout.getABITypeAlign(type).value())
            : layout.getABITypeAlign(type).value();
    parameter.size = layout.getTypeAllocSize(type);
    parameter.offset = llvm::alignTo(shape.arguments_size, alignment);
    shape.arguments_size = parameter.offset + parameter.size;
    shape.parameters.push_back(parameter);
  }
}

void describe_required_size(const llvm::Function& kernel, KernelShape& shape) {
  if (const llvm::MDNode* node = kernel.getMetadata("reqd_work_group_size"))
    for (const llvm::MDOperand& operand : node->operands())
      shape.required_size.push_back(
          llvm::mdconst::extract<llvm::ConstantInt>(operand)->getZExtValue());
}

// Makes the function of a work-item from the kernel's basic blocks. It reads arguments from the
// block of arguments.
llvm::Function* make_item(llvm::Function& kernel, const KernelShape& shape) {
  llvm::Module& module = *kernel.getParent();
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* const pointer = llvm::PointerType::getUnqual(context);
  llvm::Type* const word = llvm::Type::getInt64Ty(context);
  auto* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                             {pointer, pointer, word, word, word}, false);
  llvm::Function* const item =
      llvm::Function::Create(type, llvm::Function::ExternalLinkage, kItemFunction, module);
  item->splice(item->begin(), &kernel);
  item->setSubprogram(kernel.getSubprogram());
  kernel.setSubprogram(nullptr);
  item->addFnAttr(llvm::Attribute::NoUnwind);
  item->getArg(0)->setName("context");
  item->getArg(1)->setName("arguments");
  // Not the context: a coroutine's frame has another copy of the pointer.
  item->addParamAttr(1, llvm::Attribute::NoAlias);
  item->addParamAttr(1, llvm::Attribute::ReadOnly);

  llvm::IRBuilder<> builder(&item->getEntryBlock(), item->getEntryBlock().getFirstInsertionPt());
  for (llvm::Argument& argument : kernel.args()) {
    const Parameter& parameter = shape.parameters[argument.getArgNo()];
    llvm::Value* const place = builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), item->getArg(1), parameter.offset, parameter.name + ".place");
    llvm::Value* value = nullptr;
    if (argument.hasByValAttr()) { // each work-item has a copy of its own
      llvm::Type* const content = argument.getParamByValType();
      llvm::AllocaInst* const copy = builder.CreateAlloca(content, nullptr, parameter.name);
      copy->setAlignment(argument.getParamAlign().valueOrOne());
      builder.CreateMemCpy(copy, copy->getAlign(), place, copy->getAlign(), parameter.size);
      value = copy;
    } else {
      llvm::LoadInst* const load = builder.CreateLoad(argument.getType(), place);
      load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
      if (shape.language == Language::OpenCL &&
          (parameter.kind == Parameter::Kind::Buffer || parameter.kind == Parameter::Kind::Local))
        set_alignment(*load, kBufferAlignment);
      load->takeName(&argument);
      value = load;
    }
    argument.replaceAllUsesWith(value);
  }
  return item;
}

// The largest alignment of a struct that is common.
constexpr std::uint64_t kVectorAlignment = 16;

// Returns the bytes of an element of __local memory that an argument points to; "": values.
std::string bytes_of(const Parameter& parameter, const llvm::Module& module) {
  llvm::StringRef name = llvm::StringRef(parameter.type).split('*').first;
  name.consume_front("struct ");
  llvm::StructType* const type =
      llvm::StructType::getTypeByName(module.getContext(), ("struct." + name).str());
  if (parameter.kind != Parameter::Kind::Local || !type || type->isOpaque())
    return "";
  const std::string bytes = bytes_in(type, module.getDataLayout(), kVectorAlignment);
  return has_values_only(bytes) ? "" : bytes;
}

void list_arguments(KernelShape& shape, const llvm::Module& module) {
  for (unsigned i = 0; i < shape.parameters.size(); ++i)
    if (const Parameter& parameter = shape.parameters[i];
        parameter.kind == Parameter::Kind::Buffer || parameter.kind == Parameter::Kind::Local)
      shape.objects.push_back(
          {parameter.name, Object::Kind::Argument, i, 0, "", bytes_of(parameter, module)});
}

// Returns the file as place_of() names it: compilers name one below their folder relative to that.
std::string file_of(const llvm::DIScope& scope) {
  return (std::filesystem::path(scope.getDirectory().str()) / scope.getFilename().str())
      .lexically_normal()
      .string();
}

} // namespace

std::vector<std::string> kernel_names(const llvm::Module& module) {
  std::vector<std::string> names;
  for (const llvm::Function& function : module)
    if (is_kernel(function) && !function.isDeclaration())
      names.push_back(function.getName().str());
  return names;
}

KernelShape lower(llvm::Module& module, const std::string& kernel_name, Keep keep, Spins spins) {
  if (!is_cuda(module))
    name_blocks(module);
  llvm::Function* const kernel = module.getFunction(kernel_name);
  if (!kernel || kernel->isDeclaration() || !(is_kernel(*kernel) || is_block_kernel(*kernel)))
    throw InputError(fmt::format("there is no kernel '{}'; there are: {}", kernel_name,
                                 fmt::join(kernel_names(module), ", ")));
  KernelShape shape;
  shape.name = kernel_name;
  shape.language = is_cuda(module) ? Language::Cuda : Language::OpenCL;
  if (const llvm::DISubprogram* place = kernel->getSubprogram())
    shape.place = {file_of(*place), place->getLine(), 1};
  shape.warp_size = sub_group_size_of(*kernel);
  const unsigned in_step = lock_step_of(module).value_or(0);
  if (in_step != 0 && shape.warp_size != in_step)
    throw SourceError(fmt::format("error: kernel '{}' requires sub-groups of {} work-items, and {} "
                                  "are to run in lock step",
                                  kernel_name, shape.warp_size, in_step));
  retarget(module);
  if (shape.language == Language::Cuda)
    fit_calls(module);
  describe_parameters(*kernel, shape);
  describe_required_size(*kernel, shape);
  shape.by_itself = is_by_itself(*kernel);
  const OwnVariables variables = shape.by_itself ? own_variables(*kernel) : OwnVariables();
  inline_calls(module, *kernel, in_step != 0 && keep == Keep::Everything ? Keep::BuiltIns : keep);
  if (shape.language == Language::Cuda)
    contract_products(module);
  find_shared_addresses(module);
  llvm::Function* const item = make_item(*kernel, shape);
  kernel->eraseFromParent();
  if (in_step != 0) {
    keep_in_step(*item);
    shape.steps = true;
  } else if (shape.language == Language::Cuda) {
    shape.steps = stop_at_volatile(*item);
  }
  if (shape.language == Language::Cuda)
    mark_polls(*item);
  if (shape.language == Language::Cuda && !shape.by_itself && spins == Spins::Stop)
    stop_in_spins(*item);
  lower_work_item_functions(*item, shape, spins == Spins::Stop);
  if (shape.by_itself)
    make_arguments_of(variables, *item, shape);
  list_arguments(shape, module);
  if (shape.language == Language::OpenCL)
    tell_generic_pointers(*item, shape);
  place_program_variables(*item, shape);
  place_dynamic_variables(*item, shape);
  return shape;
}

} // namespace gputest::ir
