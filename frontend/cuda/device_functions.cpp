// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/device_functions.h"

#include "frontend/parse.h"
#include "frontend/walk.h"

#include <clang/AST/ASTLambda.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

namespace gputest::frontend {
namespace {

bool has_device_code(const clang::FunctionDecl& function) {
  if (function.getASTContext().getLangOpts().OpenCL) // it has no other
    return true;
  if (function.hasAttr<clang::CUDAGlobalAttr>() || function.hasAttr<clang::CUDADeviceAttr>())
    return true;
  // A lambda has the target of the function that it is in.
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (!method || !clang::isLambdaCallOperator(method) || function.hasAttr<clang::CUDAHostAttr>())
    return false;
  for (const clang::DeclContext* context = method->getParent()->getParent(); context;
       context = context->getParent())
    if (const auto* around = llvm::dyn_cast<clang::FunctionDecl>(context))
      return has_device_code(*around);
  return false;
}

class Finder : public clang::RecursiveASTVisitor<Finder> {
public:
  Finder(clang::ASTContext& context, bool made) : context_(context), made_(made) {}

  bool shouldVisitTemplateInstantiations() const { return made_; }
  bool shouldVisitLambdaBody() const { return true; }

  // System headers are most of a unit's declarations, and what they declare is never taken.
  // Namespaces and extern "C" of a header may have parts of the user's.
  bool TraverseDecl(clang::Decl* declaration) {
    if (declaration &&
        !llvm::isa<clang::TranslationUnitDecl, clang::NamespaceDecl, clang::LinkageSpecDecl>(
            declaration) &&
        is_of_system(declaration->getBeginLoc()) && is_of_system(declaration->getEndLoc()))
      return true;
    return RecursiveASTVisitor::TraverseDecl(declaration);
  }
  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    take(*function);
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) {
    take(*lambda->getCallOperator());
    if (const auto* generic = lambda->getCallOperator()->getDescribedFunctionTemplate();
        generic && made_)
      for (clang::FunctionDecl* one : generic->specializations())
        if (take(*one)) // which the visitor itself does not come to
          TraverseStmt(one->getBody());
    return true;
  }

  std::vector<const clang::FunctionDecl*> functions;

private:
  bool is_of_system(clang::SourceLocation place) const {
    return place.isValid() && context_.getSourceManager().isInSystemHeader(place);
  }

  bool take(const clang::FunctionDecl& function) {
    if (!function.doesThisDeclarationHaveABody() || function.isImplicit() ||
        function.isDefaulted() || function.getBody()->getBeginLoc().isInvalid() ||
        is_of_system(function.getBody()->getBeginLoc()) || !has_device_code(function))
      return false;
    if (function.getIdentifier() && function.getName().starts_with("gputest_") &&
        !is_wrapper(function))
      return false;
    const bool is_new = seen_.insert(&function).second;
    if (is_new)
      functions.push_back(&function);
    return is_new;
  }

  clang::ASTContext& context_;
  bool made_;
  std::set<const clang::FunctionDecl*> seen_;
};

std::vector<const clang::FunctionDecl*> find(clang::ASTContext& context, bool made) {
  Finder finder(context, made);
  finder.TraverseDecl(context.getTranslationUnitDecl());
  const clang::SourceManager& sources = context.getSourceManager();
  std::ranges::stable_sort(finder.functions, [&](const auto* left, const auto* right) {
    return sources.isBeforeInTranslationUnit(left->getBeginLoc(), right->getBeginLoc());
  });
  return std::move(finder.functions);
}

} // namespace

std::vector<const clang::FunctionDecl*> device_functions(clang::ASTContext& context) {
  return find(context, false);
}

bool is_declared_constexpr(const clang::FunctionDecl& function) {
  if (function.isConsteval() || !function.isConstexprSpecified())
    return function.isConsteval();
  const auto* const method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (!method || !method->getParent()->isLambda())
    return true;
  const clang::SourceManager& sources = function.getASTContext().getSourceManager();
  const auto [file, body] = sources.getDecomposedExpansionLoc(function.getBody()->getBeginLoc());
  const auto [same, begin] = sources.getDecomposedExpansionLoc(method->getParent()->getBeginLoc());
  const llvm::StringRef text = sources.getBufferData(file).take_front(body);
  const std::size_t end_of_last =
      file == same ? text.take_front(begin).find_last_of(";{}") : llvm::StringRef::npos;
  const llvm::StringRef declaration =
      end_of_last == llvm::StringRef::npos ? text : text.drop_front(end_of_last);
  return declaration.contains("constexpr") || declaration.contains("static_assert");
}

std::vector<const clang::FunctionDecl*> instantiations(clang::ASTContext& context,
                                                       const clang::FunctionDecl& written) {
  std::vector<const clang::FunctionDecl*> made;
  for (const clang::FunctionDecl* function : find(context, true))
    if (!function->isDependentContext() &&
        function->getBody()->getBeginLoc() == written.getBody()->getBeginLoc())
      made.push_back(function);
  return made;
}

namespace {

class Calls {
public:
  explicit Calls(const std::vector<const clang::FunctionDecl*>& roots,
                 const std::vector<const clang::Expr*>& values = {}) {
    for (const clang::FunctionDecl* root : roots)
      reach(root);
    for (const clang::Expr* value : values)
      look_at(*value);
    while (!work_.empty()) {
      const clang::FunctionDecl* const function = work_.back();
      work_.pop_back();
      if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function))
        for (const clang::CXXCtorInitializer* initializer : constructor->inits())
          if (initializer->getInit())
            look_at(*initializer->getInit());
      look_at(*function->getBody());
    }
  }

  std::set<const clang::FunctionDecl*> made; // and not the templates

private:
  void reach(const clang::FunctionDecl* function) {
    const clang::FunctionDecl* definition = nullptr;
    if (function && function->hasBody(definition) && made.insert(definition).second)
      work_.push_back(definition);
  }

  // An object of a class may be destroyed, and its virtual functions may be called.
  void reach_class(clang::QualType type) {
    const clang::CXXRecordDecl* const record =
        type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition())
      return;
    if (!classes_.insert(record->getCanonicalDecl()).second)
      return;
    for (const clang::CXXBaseSpecifier& base : record->bases())
      reach_class(base.getType());
    for (const clang::FieldDecl* field : record->fields())
      reach_class(field->getType());
    reach(record->getDestructor());
    for (const clang::CXXMethodDecl* method : record->methods())
      if (method->isVirtual())
        reach(method);
  }

  void look_at(const clang::Stmt& code) {
    walk(code, [&](const clang::Stmt& node) {
      if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&node))
        reach(llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()));
      else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&node))
        reach(llvm::dyn_cast<clang::FunctionDecl>(member->getMemberDecl()));
      else if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(&node))
        reach(lambda->getCallOperator());
      else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node))
        reach(call->getDirectCallee());
      else if (const auto* made_here = llvm::dyn_cast<clang::CXXConstructExpr>(&node)) {
        reach(made_here->getConstructor());
        reach_class(made_here->getType());
      } else if (const auto* missing = llvm::dyn_cast<clang::CXXDefaultArgExpr>(&node))
        look_at(*missing->getExpr());
      else if (const auto* value = llvm::dyn_cast<clang::CXXDefaultInitExpr>(&node))
        look_at(*value->getExpr());
      else if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(&node))
        for (const clang::Decl* one : declared->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one))
            reach_class(variable->getType());
      return true;
    });
  }

  std::vector<const clang::FunctionDecl*> work_;
  std::set<const clang::CXXRecordDecl*> classes_;
};

// Collects the values of the device's variables.
class Values : public clang::RecursiveASTVisitor<Values> {
public:
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (variable->hasGlobalStorage() && !variable->getDeclContext()->isDependentContext() &&
        variable->getAnyInitializer())
      values.push_back(variable->getAnyInitializer());
    return true;
  }

  std::vector<const clang::Expr*> values;
};

} // namespace

std::map<clang::SourceLocation, std::vector<const clang::FunctionDecl*>>
device_instantiations(clang::ASTContext& context) {
  std::vector<const clang::FunctionDecl*> candidates, roots;
  for (const clang::FunctionDecl* function : find(context, true))
    if (!function->isDependentContext()) {
      candidates.push_back(function);
      if (!function->hasAttr<clang::CUDAHostAttr>())
        roots.push_back(function);
    }
  const Calls calls(roots);
  std::map<clang::SourceLocation, std::vector<const clang::FunctionDecl*>> made;
  for (const clang::FunctionDecl* function : candidates)
    if (function->getTemplateInstantiationPattern() && calls.made.contains(function))
      made[function->getBody()->getBeginLoc()].push_back(function);
  return made;
}

std::set<const clang::FunctionDecl*> called_by(const clang::FunctionDecl& kernel) {
  std::set<const clang::FunctionDecl*> written;
  for (const clang::FunctionDecl* made : Calls({&kernel}).made) {
    // A friend that a class template defines has a pattern without a body.
    const clang::FunctionDecl *const pattern = made->getTemplateInstantiationPattern(),
                                     *definition = nullptr;
    written.insert(pattern && pattern->hasBody(definition) ? definition : made);
  }
  return written;
}

std::set<const clang::FunctionDecl*>
reached_on_device(clang::ASTContext& context,
                  const std::vector<const clang::FunctionDecl*>& functions, bool of_program) {
  std::vector<const clang::FunctionDecl*> roots;
  std::set<clang::SourceLocation> places; // of bodies: instances have that of their template
  bool kernels = false;
  for (const clang::FunctionDecl* function : find(context, true)) {
    const bool kernel = is_kernel(*function);
    kernels = kernels || kernel;
    if (!kernel && !(of_program && function->isExternallyVisible() && !function->isInlined()))
      continue;
    if (function->isDependentContext()) // as written: nothing need be made of it
      places.insert(function->getBody()->getBeginLoc());
    else
      roots.push_back(function);
  }
  if (!kernels)
    return {functions.begin(), functions.end()};
  Values values;
  values.TraverseDecl(context.getTranslationUnitDecl());
  for (const clang::FunctionDecl* made : Calls(roots, values.values).made)
    places.insert(made->getBody()->getBeginLoc());
  std::set<const clang::FunctionDecl*> reached;
  for (const clang::FunctionDecl* function : functions)
    if (places.contains(function->getBody()->getBeginLoc()))
      reached.insert(function);
  return reached;
}

std::vector<std::string> names_called_by(const clang::FunctionDecl& kernel) {
  std::set<std::string> names;
  const clang::SourceManager& sources = kernel.getASTContext().getSourceManager();
  for (const clang::FunctionDecl* function : called_by(kernel))
    if (!sources.isInSystemHeader(function->getLocation()))
      names.insert(name_of_function(*function));
  return {names.begin(), names.end()};
}

std::vector<ListedKernel> listed_kernels(const Tree& tree, bool of_program) {
  std::vector<ListedKernel> kernels;
  if (of_program)
    for (const clang::FunctionDecl* kernel : tree.kernels())
      kernels.push_back({.name = name_of_function(*kernel), .functions = {}});
  else
    for (const auto& [kernel, name] : tree.named_kernels())
      kernels.push_back({.name = name, .functions = names_called_by(*kernel)});
  return kernels;
}

} // namespace gputest::frontend
