#include "frontend/cuda/device_functions.h"

#include <clang/AST/ASTLambda.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <set>

namespace gputest::passes {
namespace {

bool has_device_code(const clang::FunctionDecl& function) {
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

  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    take(*function);
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) {
    take(*lambda->getCallOperator());
    return true;
  }

  std::vector<const clang::FunctionDecl*> functions;

private:
  void take(const clang::FunctionDecl& function) {
    if (!function.doesThisDeclarationHaveABody() || function.isImplicit() ||
        function.isDefaulted() || function.getBody()->getBeginLoc().isInvalid() ||
        context_.getSourceManager().isInSystemHeader(function.getBody()->getBeginLoc()) ||
        !has_device_code(function))
      return;
    if (function.getIdentifier() && function.getName().starts_with("gputest_"))
      return;
    if (seen_.insert(&function).second)
      functions.push_back(&function);
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

std::vector<const clang::FunctionDecl*> instantiations(clang::ASTContext& context,
                                                       const clang::FunctionDecl& written) {
  std::vector<const clang::FunctionDecl*> made;
  for (const clang::FunctionDecl* function : find(context, true))
    if (!function->isDependentContext() &&
        function->getBody()->getBeginLoc() == written.getBody()->getBeginLoc())
      made.push_back(function);
  return made;
}

} // namespace gputest::passes
