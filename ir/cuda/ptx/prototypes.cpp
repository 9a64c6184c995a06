// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prototypes of PTX's functions: parameters and results.
#include "ir/cuda/ptx/body.h"

#include <fmt/format.h>

namespace gputest::ir {

PtxParameter parameter_of(const PtxDeclaration& declaration) {
  const PtxDeclaration::Name& name = declaration.names.front();
  const bool is_predicate = declaration.type == "pred";
  if (declaration.names.size() != 1 || name.unsized || name.range > 0 || is_predicate ||
      (declaration.space != "param" && declaration.space != "reg") || declaration.size() == 0 ||
      declaration.size() > (1 << 16) || !declaration.value.empty())
    throw PtxFault(name.name.data(), fmt::format("'{}' is no parameter", name.name.str()));
  return {.size = declaration.size(),
          .align = declaration.alignment(),
          .is_array = !name.extents.empty() || declaration.vector > 1};
}

namespace {

llvm::Type* array_of(std::uint64_t size, llvm::LLVMContext& context) {
  const unsigned word = size % 8 == 0 ? 8 : size % 4 == 0 ? 4 : 1;
  return llvm::ArrayType::get(llvm::IntegerType::get(context, 8 * word), size / word);
}

llvm::Type* number_of(const PtxParameter& parameter, llvm::LLVMContext& context) {
  return llvm::IntegerType::get(context, static_cast<unsigned>(8 * parameter.size));
}

// Removes the bracketed list at the begin of `text` and returns its texts.
std::vector<PtxDeclaration> take_list(llvm::StringRef& text) {
  int depth = 0;
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    depth += text[end] == '(';
    depth -= text[end] == ')';
    if (depth == 0)
      break;
  }
  if (end == text.size())
    throw PtxFault(text.data(), "the list has no end");
  const llvm::StringRef inside = text.slice(1, end).trim();
  text = text.drop_front(end + 1).ltrim();
  std::vector<PtxDeclaration> list;
  if (!inside.empty())
    for (const llvm::StringRef one : operands_of(inside))
      list.push_back(declaration_of(one));
  return list;
}

} // namespace

llvm::FunctionType* function_type(const PtxSignature& signature, llvm::LLVMContext& context) {
  std::vector<llvm::Type*> types;
  for (const PtxParameter& parameter : signature.parameters)
    types.push_back(parameter.is_array ? llvm::PointerType::getUnqual(context)
                                       : number_of(parameter, context));
  llvm::Type* result = llvm::Type::getVoidTy(context);
  if (!signature.results.empty())
    result = signature.results[0].is_array ? array_of(signature.results[0].size, context)
                                           : number_of(signature.results[0], context);
  return llvm::FunctionType::get(result, types, false);
}

void add_attributes(const PtxSignature& signature, llvm::LLVMContext& context,
                    const std::function<void(unsigned, llvm::Attribute)>& add) {
  for (unsigned i = 0; i < signature.parameters.size(); ++i)
    if (const PtxParameter& one = signature.parameters[i]; one.is_array) {
      add(i, llvm::Attribute::getWithByValType(
                 context, llvm::ArrayType::get(llvm::Type::getInt8Ty(context), one.size)));
      add(i, llvm::Attribute::getWithAlignment(context, llvm::Align(one.align)));
    }
}

PtxPrototype prototype_of(llvm::StringRef text) {
  PtxPrototype result;
  text = text.trim();
  if (text.starts_with("("))
    result.results = take_list(text);
  result.name = text.take_while(is_of_name);
  text = text.drop_front(result.name.size()).ltrim();
  if (result.name.empty())
    throw PtxFault(text.data(), "the function has no name");
  if (text.starts_with("("))
    result.parameters = take_list(text);
  result.rest = text;
  if (result.results.size() > 1)
    throw PtxFault(result.name.data(), "functions with several results are not supported");
  for (const PtxDeclaration& one : result.results)
    result.signature.results.push_back(parameter_of(one));
  for (const PtxDeclaration& one : result.parameters)
    result.signature.parameters.push_back(parameter_of(one));
  return result;
}

} // namespace gputest::ir
