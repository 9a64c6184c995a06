// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/wrapper.h"

#include "frontend/cuda/named_kernel.h"
#include "model/kernel_name.h"
#include "passes/nodes.h"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/QualTypeNames.h>

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

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

llvm::Expected<const clang::FunctionDecl*> find_function(const frontend::Tree& tree,
                                                         const std::string& function) {
  const auto is_named = [&](const frontend::NamedKernel& one) {
    return without_blanks(one.name) == without_blanks(function);
  };
  const std::vector<frontend::NamedKernel> functions =
      frontend::named_device_functions(tree.context(), function);
  if (const auto found = std::ranges::find_if(functions, is_named); found != functions.end())
    return found->function;
  if (std::ranges::any_of(tree.named_kernels(), is_named))
    return not_wrapped(
        fmt::format("error: '{}' is a kernel: name it as KERNEL, not FUNCTION", function));
  std::string names;
  const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + name; };
  for (const frontend::NamedKernel& one : functions)
    add(one.name);
  for (const clang::FunctionDecl* one : tree.functions())
    if (!frontend::is_kernel(*one) && one->isDependentContext())
      add(fmt::format("the template {0} (write its arguments: {0}<…>)",
                      frontend::name_of_function(*one)));
  return not_wrapped(fmt::format("error: no device function '{}' with a body; the file defines {}",
                                 function, names.empty() ? "no device functions" : names));
}

// How a function is called for element gputest_i of each argument.
struct ElementCall {
  struct Buffer {
    std::string type; // of a pointer: "const float*"
    std::string name;
    bool is_whole;    // the function gets the array, not an element
    bool may_be_null; // the function gets a pointer: to an element, or null
  };
  std::vector<Buffer> buffers;
  std::string statement; // "result[gputest_i] = scaled(x[gputest_i])"
};

llvm::Expected<ElementCall> call_with_elements(const frontend::Tree& tree, const std::string& named,
                                               const clang::FunctionDecl& function) {
  const auto* const method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (method && !method->isStatic())
    return not_wrapped(
        fmt::format("error: '{}' is a member of a class: a kernel that has an object of "
                    "the class can call it, FUNCTION cannot",
                    named));

  const clang::ASTContext& context = tree.context();
  ElementCall result;
  std::string arguments;
  bool has_result = false; // a parameter of this name
  for (const clang::ParmVarDecl* parameter : function.parameters()) {
    const std::string name = argument_name(*parameter);
    has_result = has_result || name == "result";
    const clang::QualType type = parameter->getType();
    const bool is_reference = type->isReferenceType(), is_pointer = type->isPointerType();
    const clang::QualType element = is_reference || is_pointer ? type->getPointeeType() : type;
    const bool is_const = element.isConstQualified();
    const bool is_written = (is_reference || is_pointer) && !is_const;
    const bool is_whole = is_pointer && is_const;
    result.buffers.push_back({.type = fmt::format("{}{}*", is_written ? "" : "const ",
                                                  full_name(element.getUnqualifiedType(), context)),
                              .name = name,
                              .is_whole = is_whole,
                              .may_be_null = is_pointer});
    arguments += arguments.empty() ? "" : ", ";
    if (is_whole)
      arguments += name;
    else if (type->isRValueReferenceType())
      arguments += fmt::format("static_cast<{}>({}[gputest_i])", full_name(type, context), name);
    else if (is_pointer)
      arguments += fmt::format("{0} ? &{0}[gputest_i] : nullptr", name);
    else
      arguments += fmt::format("{}[gputest_i]", name);
  }
  result.statement = fmt::format("{}({})", named.substr(0, model::end_of_name(named)), arguments);
  const clang::QualType returned =
      function.getReturnType().getNonReferenceType().getUnqualifiedType();
  if (!returned->isVoidType()) {
    const std::string name = has_result ? "returned" : "result";
    result.buffers.push_back({.type = full_name(returned, context) + "*",
                              .name = name,
                              .is_whole = false,
                              .may_be_null = false});
    result.statement = fmt::format("{}[gputest_i] = {}", name, result.statement);
  }
  return result;
}

} // namespace

llvm::Expected<std::string> wrap_cuda_function(const frontend::Tree& tree,
                                               const std::string& named) {
  llvm::Expected<const clang::FunctionDecl*> function = find_function(tree, named);
  if (!function)
    return function.takeError();
  llvm::Expected<ElementCall> call = call_with_elements(tree, named, **function);
  if (!call)
    return call.takeError();
  std::string parameters;
  for (const ElementCall::Buffer& buffer : call->buffers)
    parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ", buffer.type, buffer.name);
  return fmt::format("extern \"C\" __global__ void {}({}) {{\n  const size_t gputest_i = "
                     "static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;\n  {};\n}}\n",
                     model::wrapper_name(named), parameters, call->statement);
}

llvm::Expected<std::string> host_version(const frontend::Tree& tree, const std::string& named) {
  if (tree.language() != model::Language::Cuda)
    return not_wrapped("error: only functions of CUDA and HIP have a version for the host");
  llvm::Expected<const clang::FunctionDecl*> function = find_function(tree, named);
  if (!function)
    return function.takeError();
  if (!(*function)->hasAttr<clang::CUDAHostAttr>())
    return not_wrapped(fmt::format("error: '{}' has no version for the host: make it __host__ "
                                   "__device__, or name a C++ file as REFERENCE, not HOST",
                                   named));
  llvm::Expected<ElementCall> call = call_with_elements(tree, named, **function);
  if (!call)
    return call.takeError();
  std::string text =
      fmt::format("extern \"C\" __attribute__((visibility(\"default\"))) const char* {}(\n"
                  "    size_t gputest_count, void* const* gputest_buffers, const size_t* "
                  "gputest_bytes) {{\n",
                  model::host_version_name(named));
  for (std::size_t i = 0; i < call->buffers.size(); ++i) {
    const ElementCall::Buffer& buffer = call->buffers[i];
    if (!buffer.is_whole)
      text += fmt::format("  if ({3}gputest_bytes[{0}] / sizeof(*static_cast<{1}>(nullptr)) < "
                          "gputest_count)\n    return \"{2}\";\n",
                          i, buffer.type, buffer.name,
                          buffer.may_be_null ? fmt::format("gputest_buffers[{}] && ", i) : "");
    text += fmt::format("  const auto {1} = static_cast<{2}>(gputest_buffers[{0}]);\n", i,
                        buffer.name, buffer.type);
  }
  return text + fmt::format("  for (size_t gputest_i = 0; gputest_i < gputest_count; "
                            "++gputest_i)\n    {};\n  return nullptr;\n}}\n",
                            call->statement);
}

} // namespace gputest::passes
