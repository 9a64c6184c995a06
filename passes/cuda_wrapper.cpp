// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/wrapper.h"

#include "frontend/cuda/named_kernel.h"
#include "model/kernel_name.h"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/QualTypeNames.h>

#include <algorithm>
#include <fmt/format.h>

namespace gputest::passes {
namespace {

llvm::Error not_wrapped(const std::string& message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

std::string full_name(clang::QualType type, const clang::ASTContext& context) {
  clang::PrintingPolicy policy = context.getPrintingPolicy();
  policy.SuppressUnwrittenScope = true; // anonymous namespaces
  return clang::TypeName::getFullyQualifiedName(type.getCanonicalType(), context, policy);
}

llvm::Expected<const clang::FunctionDecl*> find_function(const Tree& tree,
                                                         const std::string& function) {
  const auto is_named = [&](const NamedKernel& one) {
    return without_blanks(one.name) == without_blanks(function);
  };
  const std::vector<NamedKernel> functions = named_device_functions(tree.context(), function);
  if (const auto found = std::ranges::find_if(functions, is_named); found != functions.end())
    return found->function;
  if (std::ranges::any_of(tree.named_kernels(), is_named))
    return not_wrapped(
        fmt::format("error: '{}' is a kernel: name it as KERNEL, not FUNCTION", function));
  std::string names;
  const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + name; };
  for (const NamedKernel& one : functions)
    add(one.name);
  for (const clang::FunctionDecl* one : tree.functions())
    if (!is_kernel(*one) && one->isDependentContext())
      add(fmt::format("the template {0} (write its arguments: {0}<…>)", name_of_function(*one)));
  return not_wrapped(fmt::format("error: no device function '{}' with a body; the file defines {}",
                                 function, names.empty() ? "no device functions" : names));
}

} // namespace

llvm::Expected<std::string> wrap_cuda_function(const Tree& tree, const std::string& named) {
  llvm::Expected<const clang::FunctionDecl*> found = find_function(tree, named);
  if (!found)
    return found.takeError();
  const clang::FunctionDecl& function = **found;
  const auto* const method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (method && !method->isStatic())
    return not_wrapped(
        fmt::format("error: '{}' is a member of a class: a kernel that has an object of "
                    "the class can call it, FUNCTION cannot",
                    named));

  const clang::ASTContext& context = tree.context();
  std::string parameters, arguments;
  bool has_result = false; // a parameter of this name
  const auto add = [](std::string& list, const std::string& item) {
    list += (list.empty() ? "" : ", ") + item;
  };
  for (const clang::ParmVarDecl* parameter : function.parameters()) {
    const std::string name = parameter->getIdentifier()
                                 ? parameter->getNameAsString()
                                 : fmt::format("argument{}", parameter->getFunctionScopeIndex());
    has_result = has_result || name == "result";
    const clang::QualType type = parameter->getType();
    const bool is_reference = type->isReferenceType(), is_pointer = type->isPointerType();
    const clang::QualType element = is_reference || is_pointer ? type->getPointeeType() : type;
    const bool is_const = element.isConstQualified();
    const bool is_written = (is_reference || is_pointer) && !is_const;
    add(parameters, fmt::format("{}{}* {}", is_written ? "" : "const ",
                                full_name(element.getUnqualifiedType(), context), name));
    if (is_pointer && is_const)
      add(arguments, name);
    else if (type->isRValueReferenceType())
      add(arguments, fmt::format("static_cast<{}>({}[gputest_i])", full_name(type, context), name));
    else
      add(arguments, fmt::format("{}{}[gputest_i]", is_pointer ? "&" : "", name));
  }
  std::string call = fmt::format("{}({})", named.substr(0, model::end_of_name(named)), arguments);
  const clang::QualType returned =
      function.getReturnType().getNonReferenceType().getUnqualifiedType();
  if (!returned->isVoidType()) {
    const std::string name = has_result ? "returned" : "result";
    add(parameters, fmt::format("{}* {}", full_name(returned, context), name));
    call = fmt::format("{}[gputest_i] = {}", name, call);
  }
  return fmt::format("extern \"C\" __global__ void {}({}) {{\n  const size_t gputest_i = "
                     "static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;\n  {};\n}}\n",
                     model::wrapper_name(named), parameters, call);
}

} // namespace gputest::passes
