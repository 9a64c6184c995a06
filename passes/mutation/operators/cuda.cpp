// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators for CUDA C++. barrier_deletion, sync_removal: __syncthreads(), __syncwarp() and
// sync() of cooperative groups are left out. fence_replacement: a fence of another scope.
// atom_removal: an atomic operation by the same without atomicity. gpu_index_…: a thread's index
// for a block's, and one more or less. share_removal: __shared__ variables become each thread's
// own. dimension_replacement: another dimension of those that the function uses. From MutGPU (ICST
// 2020, Table I): all but barrier_deletion, fence_replacement and dimension_replacement.
#include "passes/mutation/operators/atomic_text.h"
#include "passes/mutation/operators/operators.h"

#include "frontend/cuda/unconstructed.h"
#include "frontend/walk.h"
#include "passes/dataflow/barriers.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>

#include <fmt/format.h>
#include <map>
#include <set>

namespace gputest::passes::mutation {
namespace {

Part plain_part(std::string content) {
  return {std::move(content), nullptr, false};
}

llvm::StringRef called(const clang::CallExpr& call) {
  const clang::FunctionDecl* const callee = call.getDirectCallee();
  return callee && callee->getIdentifier() ? callee->getName() : llvm::StringRef();
}

// Returns "add" for atomicAdd_block.
std::string operation_of(llvm::StringRef name) {
  name.consume_front("atomic");
  if (!name.consume_back("_system"))
    name.consume_back("_block");
  return name.lower();
}

// The value that is assigned, as an expression of `gputest_old` and the operands `a` and `b`; empty
// if it is unknown.
std::string assigned_by(llvm::StringRef name) {
  static const std::map<std::string, std::string, std::less<>> all{
      {"add", "gputest_old + a"},
      {"sub", "gputest_old - a"},
      {"exch", "a"},
      {"min", "a < gputest_old ? a : gputest_old"},
      {"max", "a > gputest_old ? a : gputest_old"},
      {"inc", "gputest_old >= a ? 0 : gputest_old + 1"},
      {"dec", "gputest_old == 0 || gputest_old > a ? a : gputest_old - 1"},
      {"cas", "gputest_old == a ? b : gputest_old"},
      {"and", "gputest_old & a"},
      {"or", "gputest_old | a"},
      {"xor", "gputest_old ^ a"}};
  const auto found = all.find(operation_of(name));
  return found == all.end() ? "" : found->second;
}

// Splits threadIdx.x into `threadIdx` and `x`; headers write them in several ways.
struct Index {
  const clang::DeclRefExpr* variable = nullptr;
  clang::SourceLocation member_at;
  std::string member;
};
std::optional<Index> index_of(const clang::Stmt& node) {
  Index index;
  const clang::Expr* base = nullptr;
  if (const auto* property = llvm::dyn_cast<clang::PseudoObjectExpr>(&node)) {
    const auto* reference =
        llvm::dyn_cast<clang::MSPropertyRefExpr>(property->getSyntacticForm()->IgnoreParens());
    if (!reference)
      return std::nullopt;
    base = reference->getBaseExpr();
    index.member_at = reference->getMemberLoc();
    index.member = reference->getPropertyDecl()->getName();
  } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&node)) {
    base = member->getBase();
    index.member_at = member->getMemberLoc();
    index.member = member->getMemberDecl()->getNameAsString(); // which may be an operator
  } else {
    return std::nullopt;
  }
  base = base->IgnoreParenImpCasts();
  if (const auto* known = llvm::dyn_cast<clang::OpaqueValueExpr>(base)) // in a property's form
    base = known->getSourceExpr()->IgnoreParenImpCasts();
  index.variable = llvm::dyn_cast<clang::DeclRefExpr>(base);
  static const std::set<llvm::StringRef> kNames{"threadIdx", "blockIdx", "blockDim", "gridDim"};
  static const std::set<llvm::StringRef> kMembers{"x", "y", "z"}; // and conversions of the whole
  if (!kMembers.contains(index.member) || !index.variable ||
      !index.variable->getDecl()->getIdentifier() ||
      !kNames.contains(index.variable->getDecl()->getName()))
    return std::nullopt;
  return index;
}

} // namespace

std::set<std::string> cuda_dimensions_in(const clang::Stmt& body) {
  std::set<std::string> used;
  frontend::walk(body, [&](const clang::Stmt& node) {
    const std::optional<Index> index = index_of(node);
    if (index)
      used.insert(index->member);
    return !index;
  });
  return used;
}

void propose_cuda_barrier(const Candidate& place, Proposals& out) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&place.node);
  if (!call)
    return;
  const unsigned begin = out.begin(*call), end = out.end(*call);
  if (is_barrier(*call)) {
    if (!call->getType()->isVoidType())
      return out.not_mutated("sync_removal", *call, "its value is used");
    for (const char* name : {"barrier_deletion", "sync_removal"})
      out.add({.operator_name = name,
               .node = call,
               .replacement = place.in_block ? ";" : "",
               .patch = {{begin, end, {plain_part("(void)0")}}},
               .synchronisation = true});
    return;
  }
  const llvm::StringRef name = called(*call);
  if (name != "__threadfence" && name != "__threadfence_block" && name != "__threadfence_system")
    return;
  Proposal proposal{.operator_name = "fence_replacement", .node = call};
  proposal.patch = {
      {begin,
       end,
       {plain_part(name == "__threadfence" ? "__threadfence_block()" : "__threadfence()")}}};
  proposal.synchronisation = true;
  out.add(std::move(proposal));
}

void propose_cuda_atomic(const Candidate& place, Proposals& out) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&place.node);
  if (!call || call->getNumArgs() < 2 || !called(*call).starts_with("atomic"))
    return;
  const std::string assigned = assigned_by(called(*call));
  const unsigned begin = out.begin(*call), end = out.end(*call);
  unsigned from = 0, to = 0;
  if (assigned.empty() || !out.token(call->getRParenLoc(), from, to))
    return out.not_mutated("atom_removal", *call, "there is no plain operation that does the same");
  const bool compares = assigned.find(" b ") != std::string::npos;
  const std::string function = fmt::format(
      "[](auto* gputest_at, auto a{}) {{ const auto gputest_old = *gputest_at; *gputest_at = {}; "
      "return gputest_old; }}(",
      compares ? ", auto b" : "", assigned);
  // From the name to the first argument, which may follow the arguments of a template.
  Proposal proposal{.operator_name = "atom_removal", .node = call};
  proposal.patch = {{begin, out.begin(*call->getArg(0)), {plain_part(function)}}};
  std::vector<std::string> arguments;
  for (const clang::Expr* const argument : call->arguments())
    if (!llvm::isa<clang::CXXDefaultArgExpr>(argument))
      arguments.push_back(out.text(*argument->IgnoreImplicit()));
  proposal.replacement = without_atomicity(operation_of(called(*call)), arguments, place.unused);
  proposal.begin = begin;
  proposal.end = end;
  proposal.synchronisation = true;
  out.add(std::move(proposal));
}

void propose_cuda_index(const Candidate& place, Proposals& out) {
  const std::optional<Index> index = index_of(place.node);
  if (!index)
    return;
  const unsigned begin = out.begin(place.node), end = out.end(place.node);
  const llvm::StringRef name = index->variable->getDecl()->getName();
  if (name == "threadIdx" || name == "blockIdx") {
    out.swap_token("gpu_index_replacement", place.node, index->variable->getBeginLoc(),
                   name == "threadIdx" ? "blockIdx" : "threadIdx");
    for (const auto& [operator_name, change] :
         {std::pair{"gpu_index_increment", " + 1)"}, std::pair{"gpu_index_decrement", " - 1)"}})
      out.replace(operator_name, place.node,
                  {{begin, begin, {plain_part("(")}}, {end, end, {plain_part(change)}}});
  }
  for (const std::string& other : cuda_dimensions_in(*place.function.getBody()))
    if (other != index->member)
      out.swap_token("dimension_replacement", place.node, index->member_at, other);
}

void propose_cuda_share(const Candidate& place, Proposals& out) {
  const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(&place.node);
  if (!declaration)
    return;
  bool shared = false, sized = true, constructed = true;
  for (const clang::Decl* declared : declaration->decls())
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
        variable && variable->hasAttr<clang::CUDASharedAttr>()) {
      shared = true;
      sized &= !variable->hasExternalStorage() && !variable->getLocation().isMacroID();
      constructed &= !variable->getName().starts_with(frontend::cuda::kSharedObject);
    }
  if (!shared)
    return;
  if (!sized)
    return out.not_mutated("share_removal", *declaration, "the launch says how large it is");
  if (!constructed) // unconstructed.h
    return out.not_mutated("share_removal", *declaration,
                           "its class has a constructor or a destructor");
  const frontend::FlatSource& source = out.tree().source();
  const unsigned begin = out.begin(*declaration), end = out.tree().end_of_statement(*declaration);
  Proposal proposal{.operator_name = "share_removal", .manner = Manner::Share, .node = declaration};
  for (std::size_t i = source.token_at_or_after(begin);
       i < source.tokens.size() && source.tokens[i].begin < end; ++i)
    if (const frontend::FlatToken& token = source.tokens[i];
        std::string_view(source.text).substr(token.begin, token.end - token.begin) == "__shared__")
      proposal.patch = {{token.begin, token.end, {plain_part("")}}};
  if (proposal.patch.empty()) // __attribute__((shared)), as a macro has it
    return out.not_mutated("share_removal", *declaration, "it is written by a macro");
  proposal.begin = begin;
  proposal.end = end;
  proposal.synchronisation = true;
  out.add(std::move(proposal));
}

} // namespace gputest::passes::mutation
