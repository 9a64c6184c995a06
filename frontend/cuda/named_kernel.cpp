// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/named_kernel.h"

#include "frontend/cuda/device_functions.h"
#include "frontend/walk.h"
#include "model/kernel_name.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Mangle.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace gputest::frontend {
namespace {

constexpr const char* kReference = "gputest_reference_to_kernel";

clang::PrintingPolicy policy_of(const clang::FunctionDecl& function) {
  clang::PrintingPolicy policy = function.getASTContext().getPrintingPolicy();
  policy.SuppressUnwrittenScope = true; // anonymous namespaces
  return policy;
}

std::string name_without_types(const clang::FunctionDecl& kernel) {
  std::string name = name_of_function(kernel);
  if (const auto* arguments = kernel.getTemplateSpecializationArgs()) {
    llvm::raw_string_ostream stream(name);
    clang::printTemplateArgumentList(stream, arguments->asArray(), policy_of(kernel));
  }
  return name;
}

std::string types_text(const clang::FunctionDecl& kernel) {
  std::string text;
  for (const clang::ParmVarDecl* parameter : kernel.parameters())
    text += (text.empty() ? "" : ", ") + parameter->getType().getAsString(policy_of(kernel));
  return '(' + text + ')';
}

std::string place_of(const clang::FunctionDecl& function) {
  const clang::SourceManager& sources = function.getASTContext().getSourceManager();
  const clang::PresumedLoc place =
      sources.getPresumedLoc(sources.getFileLoc(function.getLocation()));
  return place.isInvalid() ? "" : fmt::format("{}:{}", place.getFilename(), place.getLine());
}

// The function with a body in the code of reference_to() or reference_to_function().
const clang::FunctionDecl* referenced_function(const clang::ASTContext& context) {
  const clang::FunctionDecl* found = nullptr;
  const clang::IdentifierInfo& name = context.Idents.get(kReference);
  for (const clang::NamedDecl* declaration : context.getTranslationUnitDecl()->lookup(&name)) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    if (!function)
      continue;
    walk(*function->getBody(), [&](const clang::Stmt& node) {
      if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&node))
        if (const auto* named = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()))
          found = named;
      return true;
    });
  }
  return found;
}

std::vector<NamedKernel> named_functions(clang::ASTContext& context, const std::string& named,
                                         bool kernels) {
  const clang::FunctionDecl* const referenced = referenced_function(context);
  std::vector<NamedKernel> functions;
  for (const clang::FunctionDecl* written : device_functions(context)) {
    if (is_kernel(*written) != kernels)
      continue;
    for (const clang::FunctionDecl* made :
         written->isDependentContext() ? instantiations(context, *written) : std::vector{written})
      functions.push_back({made, name_without_types(*made)});
  }
  std::vector<NamedKernel> result = functions;
  for (NamedKernel& one : result)
    if (referenced && one.function->getCanonicalDecl() == referenced->getCanonicalDecl())
      one.name = named;
    else if (std::ranges::count(functions, one.name, &NamedKernel::name) > 1)
      one.name += types_text(*one.function);
  return result;
}

} // namespace

std::string reference_to(const std::string& kernel) {
  if (kernel.empty())
    return "";
  return fmt::format("\n#line 1 \"the name of the kernel\"\n"
                     "[[maybe_unused]] static void {}() {{ (void)({}); }}\n",
                     kReference, model::expression_of_kernel(kernel));
}

std::string reference_to_function(const std::string& function) {
  if (function.find('<') == std::string::npos)
    return "";
  return fmt::format("\n#line 1 \"the name of the function\"\n"
                     "[[maybe_unused]] static __device__ void {}() {{ (void)({}); }}\n",
                     kReference, function.substr(0, function.rfind('>') + 1));
}

const clang::FunctionDecl* referenced_kernel(const clang::ASTContext& context) {
  const clang::FunctionDecl* const found = referenced_function(context);
  return found && is_kernel(*found) ? found : nullptr;
}

std::vector<NamedKernel> named_kernels(clang::ASTContext& context, const std::string& named) {
  return named_functions(context, named, true);
}

std::vector<NamedKernel> named_device_functions(clang::ASTContext& context,
                                                const std::string& named) {
  return named_functions(context, named, false);
}

std::string mangled_name(const clang::FunctionDecl& kernel) {
  const std::unique_ptr<clang::MangleContext> mangler(kernel.getASTContext().createMangleContext());
  if (!mangler->shouldMangleDeclName(&kernel))
    return kernel.getNameAsString();
  std::string name;
  llvm::raw_string_ostream stream(name);
  mangler->mangleName(clang::GlobalDecl(&kernel), stream);
  return name;
}

std::string no_such_kernel(clang::ASTContext& context, const std::string& file,
                           const std::string& kernel, const std::string& reason) {
  std::string notes;
  for (const NamedKernel& one : named_kernels(context, ""))
    notes += fmt::format("\n{}: note: kernel '{}'", place_of(*one.function), one.name);
  for (const clang::FunctionDecl* written : device_functions(context))
    if (is_kernel(*written) && written->isDependentContext())
      notes += fmt::format("\n{0}: note: template '{1}': write its arguments, such as {1}<float>",
                           place_of(*written), name_of_function(*written));
  // The first message, without a place in text that is not the author's.
  const std::size_t begin = reason.find("error: ");
  const std::string said =
      begin == std::string::npos ? "" : reason.substr(begin, reason.find('\n', begin) - begin);
  return fmt::format("{}: error: no kernel '{}'; there {}{}{}", file, kernel,
                     notes.empty() ? "is none" : "are:", notes,
                     said.empty() ? "" : "\nthe compiler says: " + said);
}

} // namespace gputest::frontend
