// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/dataflow/uniformity.h"

#include "frontend/walk.h"
#include "passes/blocks.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace gputest::passes {
namespace {

// Variables whose address is taken, and arrays and structs that reach a pointer. They may be
// written in places that the analysis does not follow.
class Escapes {
public:
  std::set<const clang::VarDecl*> variables;

  void look_at(const clang::Stmt& node) {
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node)) {
      if (unary->getOpcode() == clang::UO_AddrOf)
        escape(*unary->getSubExpr());
    } else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(&node)) {
      if (const auto* decay = llvm::dyn_cast<clang::ImplicitCastExpr>(subscript->getBase()))
        subscripted_.insert(decay); // parents are visited first
    } else if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(&node)) {
      if (cast->getCastKind() == clang::CK_ArrayToPointerDecay && !subscripted_.contains(cast))
        escape(*cast->getSubExpr());
    }
  }

private:
  void escape(const clang::Expr& expression) {
    const clang::Expr* base = expression.IgnoreParenCasts();
    for (;;) {
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(base);
          member && !member->isArrow())
        base = member->getBase()->IgnoreParenCasts();
      else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(base))
        base = element->getBase()->IgnoreParenCasts();
      else if (const auto* component = llvm::dyn_cast<clang::ExtVectorElementExpr>(base))
        base = component->getBase()->IgnoreParenCasts();
      else
        break;
    }
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(base))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
        variables.insert(variable);
  }

  std::set<const clang::ImplicitCastExpr*> subscripted_;
};

bool any_call(const std::set<const clang::CFGBlock*>& blocks,
              const std::function<bool(const clang::CallExpr&)>& matches) {
  for (const clang::CFGBlock* block : blocks)
    for (const clang::CFGElement& element : *block)
      if (const auto statement = element.getAs<clang::CFGStmt>())
        if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement->getStmt());
            call && matches(*call))
          return true;
  return false;
}

bool in_constant_memory(clang::QualType type) {
  return type.getAddressSpace() == clang::LangAS::opencl_constant;
}

bool identifies_work_item(llvm::StringRef builtin) {
  return builtin == "get_local_id" || builtin == "get_global_id" ||
         builtin == "get_local_linear_id" || builtin == "get_global_linear_id" ||
         builtin.starts_with("get_sub_group") || builtin.starts_with("sub_group_");
}

bool agrees_over_group(llvm::StringRef builtin) {
  return builtin.starts_with("work_group_") && !builtin.starts_with("work_group_scan");
}

} // namespace

ControlFlow::ControlFlow(const clang::Decl& function, clang::ASTContext& context) {
  clang::CFG::BuildOptions options;
  options.setAllAlwaysAdd();
  options.PruneTriviallyFalseEdges = false;
  cfg_ = clang::CFG::buildCFG(&function, function.getBody(), &context, options);
  if (cfg_)
    post_dominators_ = std::make_unique<clang::CFGPostDomTree>(cfg_.get());
}

std::set<const clang::CFGBlock*> ControlFlow::influence(const clang::CFGBlock& decision) const {
  const auto* node = post_dominators_->getBase().getNode(const_cast<clang::CFGBlock*>(&decision));
  const clang::CFGBlock* meeting = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  std::set<const clang::CFGBlock*> reached;
  std::vector<const clang::CFGBlock*> work{&decision};
  while (!work.empty()) {
    const clang::CFGBlock* block = work.back();
    work.pop_back();
    for (const clang::CFGBlock::AdjacentBlock& next : block->succs()) {
      const clang::CFGBlock* successor = next.getReachableBlock();
      if (!successor)
        successor = next.getPossiblyUnreachableBlock();
      if (successor && successor != meeting && reached.insert(successor).second)
        work.push_back(successor);
    }
  }
  return reached;
}

Uniformity::Uniformity(const frontend::Tree& tree,
                       const std::function<bool(const clang::CallExpr&)>& agreed, Groups groups)
    : groups_(groups) {
  const std::vector<const clang::Decl*> functions = functions_and_blocks(tree);
  Escapes escapes;
  for (const clang::Decl* function : functions)
    frontend::walk(*function->getBody(), [&](const clang::Stmt& node) {
      escapes.look_at(node);
      return true;
    });
  varying_ = std::move(escapes.variables);
  for (const clang::Decl* function : functions) {
    if (const auto* block = llvm::dyn_cast<clang::BlockDecl>(function))
      varying_.insert(block->param_begin(), block->param_end()); // its calls are not followed
    Flow& flow = flows_[function];
    flow.control = std::make_unique<ControlFlow>(*function, tree.context());
    for (const clang::CFGBlock* block : flow.control->blocks())
      if (block->succ_size() > 1 && any_call(flow.control->influence(*block), agreed))
        flow.agreed.insert(block);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const clang::Decl* function : functions)
      changed |= step(*function);
  }
}

const ControlFlow& Uniformity::control_flow(const clang::Decl& function) const {
  return *flows_.at(&function).control;
}

bool Uniformity::step(const clang::Decl& function) {
  const Flow& known = flows_.at(&function);
  const ControlFlow& flow = *known.control;
  std::set<const clang::CFGBlock*> divergent;
  for (const clang::CFGBlock* block : flow.blocks()) {
    const auto* condition = llvm::dyn_cast_or_null<clang::Expr>(block->getTerminatorCondition());
    if (block->succ_size() > 1 && condition && !known.agreed.contains(block) && varies(*condition))
      divergent.merge(flow.influence(*block));
  }

  bool changed = false;
  for (const clang::CFGBlock* block : flow.blocks()) {
    const bool diverges = divergent.contains(block);
    for (const clang::CFGElement& element : *block) {
      const auto statement = element.getAs<clang::CFGStmt>();
      if (!statement)
        continue;
      const clang::Stmt* node = statement->getStmt();
      if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(node)) {
        if (binary->isAssignmentOp() && (diverges || varies(*binary->getRHS())))
          changed |= mark(*binary->getLHS());
        // For an element of an array, the index may vary, so any element does.
        if (binary->isAssignmentOp())
          if (const auto* element_of =
                  llvm::dyn_cast<clang::ArraySubscriptExpr>(binary->getLHS()->IgnoreParens());
              element_of && varies(*element_of->getIdx()))
            changed |= mark(*binary->getLHS());
      } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(node)) {
        if (unary->isIncrementDecrementOp() && diverges)
          changed |= mark(*unary->getSubExpr());
      } else if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(node)) {
        for (const clang::Decl* declared : declaration->decls())
          if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
              variable && variable->getInit() && (diverges || varies(*variable->getInit())))
            changed |= mark(*variable);
      } else if (const auto* result = llvm::dyn_cast<clang::ReturnStmt>(node)) {
        const auto* returning = llvm::dyn_cast<clang::FunctionDecl>(&function);
        if (returning && result->getRetValue() && (diverges || varies(*result->getRetValue())))
          changed |= varying_results_.insert(returning->getCanonicalDecl()).second;
      } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(node)) {
        const clang::FunctionDecl* callee = call->getDirectCallee();
        const clang::FunctionDecl* definition = nullptr;
        if (callee && callee->hasBody(definition))
          for (unsigned i = 0; i < call->getNumArgs() && i < definition->getNumParams(); ++i)
            if (varies(*call->getArg(i)))
              changed |= mark(*definition->getParamDecl(i));
      }
    }
  }
  return changed;
}

bool Uniformity::mark(const clang::Expr& assigned) {
  const clang::Expr* base = assigned.IgnoreParens();
  for (;;) {
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(base); member && !member->isArrow())
      base = member->getBase()->IgnoreParenImpCasts();
    else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(base))
      base = element->getBase()->IgnoreParenImpCasts();
    else if (const auto* component = llvm::dyn_cast<clang::ExtVectorElementExpr>(base))
      base = component->getBase()->IgnoreParenImpCasts();
    else
      break;
  }
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(base);
  const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  return variable && mark(*variable);
}

bool Uniformity::call_varies(const clang::CallExpr& call) const {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  if (!callee || !callee->getIdentifier())
    return true;
  if (callee->hasBody())
    return varying_results_.contains(callee->getCanonicalDecl());
  if (identifies_work_item(callee->getName()) ||
      (groups_ == Groups::Vary && callee->getName() == "get_group_id"))
    return true;
  if (agrees_over_group(callee->getName()))
    return false;
  for (const clang::Expr* argument : call.arguments()) {
    const clang::QualType type = argument->getType();
    const bool reads_memory =
        (type->isPointerType() && !in_constant_memory(type->getPointeeType())) ||
        type->isImageType();
    if (reads_memory || varies(*argument))
      return true;
  }
  return false;
}

bool Uniformity::varies(const clang::Expr& expression) const {
  const clang::Expr* node = expression.IgnoreParens();
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(node))
    return call_varies(*call);
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(node)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!variable)
      return false; // an enumerator or a function
    const clang::LangAS space = variable->getType().getAddressSpace();
    return varying_.contains(variable) || space == clang::LangAS::opencl_local ||
           space == clang::LangAS::opencl_global;
  }
  // Loads through pointers may read what other work-items write, except in constant memory.
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(node)) {
    const clang::Expr* base = element->getBase()->IgnoreParenImpCasts();
    const bool own_array = base->getType()->isArrayType();
    if (!own_array && !in_constant_memory(element->getType()))
      return true;
  } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(node)) {
    if (unary->getOpcode() == clang::UO_Deref && !in_constant_memory(unary->getType()))
      return true;
  } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(node)) {
    if (member->isArrow() && !in_constant_memory(member->getType()))
      return true;
  } else if (llvm::isa<clang::StmtExpr, clang::BlockExpr>(node)) {
    return true;
  }
  for (const clang::Stmt* child : node->children())
    if (const auto* operand = llvm::dyn_cast_or_null<clang::Expr>(child);
        operand && varies(*operand))
      return true;
  return false;
}

} // namespace gputest::passes
