// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/wrapper.h"

#include "model/kernel_name.h"
#include "passes/nodes.h"

#include <clang/AST/DeclCXX.h>

#include <algorithm>
#include <fmt/format.h>

namespace gputest::passes {
namespace {

llvm::Error refuse(const std::string& message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

std::string spell(clang::QualType type, const clang::ASTContext& context) {
  clang::PrintingPolicy policy = context.getPrintingPolicy();
  policy.SuppressTagKeyword = false;
  return type.getAsString(policy);
}

bool is_own_memory(clang::QualType pointee) {
  const clang::LangAS space = pointee.getAddressSpace();
  return space == clang::LangAS::opencl_private || space == clang::LangAS::Default ||
         space == clang::LangAS::opencl_generic;
}

// Templates and methods cannot be called by their names alone.
bool is_of_class(const clang::FunctionDecl& function) {
  return llvm::isa<clang::CXXMethodDecl>(function) || function.isDependentContext();
}

} // namespace

llvm::Expected<std::string> wrap_function(const frontend::Tree& tree, const std::string& function) {
  if (tree.language() == model::Language::Cuda)
    return wrap_cuda_function(tree, function);
  const auto functions = tree.functions();
  const auto found = std::ranges::find_if(functions, [&](const auto* candidate) {
    return candidate->getNameAsString() == function && !is_of_class(*candidate);
  });
  if (found == functions.end()) {
    std::string names;
    for (const clang::FunctionDecl* candidate : functions)
      if (!frontend::is_kernel(*candidate) && !is_of_class(*candidate))
        names += (names.empty() ? "" : ", ") + candidate->getNameAsString();
    return refuse(fmt::format("error: no function '{}' with a body; the file defines {}", function,
                              names.empty() ? "no device functions" : names));
  }
  if (frontend::is_kernel(**found))
    return refuse(
        fmt::format("error: '{}' is a kernel: name it as KERNEL, not FUNCTION", function));

  const clang::ASTContext& context = tree.context();
  std::string parameters, copies, arguments, results;
  const auto add = [](std::string& list, const std::string& item) {
    list += (list.empty() ? "" : ", ") + item;
  };
  for (const clang::ParmVarDecl* parameter : (*found)->parameters()) {
    const std::string name = argument_name(*parameter);
    clang::QualType type = parameter->getType().getUnqualifiedType();
    if (type->isImageType() || type->isSamplerT()) {
      add(parameters, spell(type, context) + " " + name);
      add(arguments, name);
    } else if (!type->isPointerType() && !type->isReferenceType()) {
      add(parameters, fmt::format("__global const {}* {}", spell(type, context), name));
      add(arguments, fmt::format("{}[gputest_i]", name));
    } else if (!is_own_memory(type->getPointeeType())) {
      add(parameters, spell(type, context) + " " + name);
      add(arguments, name);
    } else {
      const clang::QualType element =
          context.removeAddrSpaceQualType(type->getPointeeType()).getUnqualifiedType();
      add(parameters, fmt::format("__global {}* {}", spell(element, context), name));
      copies += fmt::format("  {0} gputest_{1} = {1}[gputest_i];\n", spell(element, context), name);
      add(arguments, (type->isPointerType() ? "&gputest_" : "gputest_") + name);
      if (!type->getPointeeType().isConstQualified())
        results += fmt::format("  {0}[gputest_i] = gputest_{0};\n", name);
    }
  }
  std::string call = fmt::format("{}({})", function, arguments);
  const clang::QualType result = (*found)->getReturnType().getUnqualifiedType();
  if (!result->isVoidType()) {
    add(parameters, fmt::format("__global {}* result", spell(result, context)));
    call = "result[gputest_i] = " + call;
  }
  return fmt::format(
      "__kernel void {}({}) {{\n  const size_t gputest_i = get_global_id(0);\n{}  {};\n{}}}\n",
      model::wrapper_name(function), parameters, copies, call, results);
}

} // namespace gputest::passes
