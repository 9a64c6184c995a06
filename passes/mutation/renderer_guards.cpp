// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps mutants from doing harm: accesses, divisions and calls with their checks.
#include "passes/mutation/renderer.h"
#include "passes/nodes.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <fmt/format.h>

namespace gputest::passes::mutation {
namespace {

std::string name_of_type(clang::QualType type, const clang::ASTContext& context) {
  return type.getUnqualifiedType().getAsString(context.getPrintingPolicy());
}

// The number of elements that vload4, vstore3 and the like move, and whether they move halves.
struct VectorAccess {
  unsigned elements = 0; // 0: no such function
  bool halves = false;
  unsigned offset = 0, pointer = 1; // positions of these arguments
};

VectorAccess vector_access(llvm::StringRef name) {
  VectorAccess result;
  if (name.consume_front("vload")) {
  } else if (name.consume_front("vstore")) {
    result.offset = 1;
    result.pointer = 2;
  } else {
    return result;
  }
  const bool aligned = name.consume_front("a_half");
  result.halves = aligned || name.consume_front("_half");
  unsigned count = 1;
  (void)name.consumeInteger(10, count);                // a rounding mode may follow
  result.elements = aligned && count == 3 ? 4 : count; // vloada_half3 steps by four
  return result;
}

// Whether the expression may be computed once more: it consists of variables and numbers only.
bool is_simple(const clang::Expr& expression) {
  const clang::Expr& written = *expression.IgnoreParenImpCasts();
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&written))
    return (binary->isAdditiveOp() || binary->getOpcode() == clang::BO_Mul ||
            binary->isBitwiseOp()) &&
           is_simple(*binary->getLHS()) && is_simple(*binary->getRHS());
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&written))
    return (unary->getOpcode() == clang::UO_Minus || unary->getOpcode() == clang::UO_Plus) &&
           is_simple(*unary->getSubExpr());
  return llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral>(written) &&
         !written.getType().isVolatileQualified();
}

} // namespace

// The beginning of a guard's macro. Only mutants run copies, so their guards are not inlined.
std::string_view Renderer::prefix(Mode mode) {
  return mode == Mode::Plain ? "GPUTEST_RARE_" : "GPUTEST_";
}

// The index of an element, corrected if it is out of bounds. nullopt if the bounds are not known.
std::optional<std::string> Renderer::index_check(const clang::Expr& pointer,
                                                 const clang::Stmt& access,
                                                 const std::string& index, Mode mode) {
  const std::optional<Bounds> bounds = pointers_.bounds(pointer);
  if (!bounds) {
    leave_unguarded(access, "the object it points into is not known");
    return std::nullopt;
  }
  const clang::Expr& written = *pointer.IgnoreImplicit();
  if (!has_no_effect(written)) {
    leave_unguarded(access, "its address has side effects");
    return std::nullopt;
  }
  return fmt::format("{}AT({}, {}, {}, {}, {})", prefix(mode), index, in_one_line(plain(written)),
                     bounds->low, bounds->size,
                     guards_.number(access, function_->getNameAsString()));
}

// A pointer through which the code reads or writes.
std::string Renderer::accessed(const clang::Expr& pointer, const clang::Stmt& access,
                               std::string text, Mode mode) {
  if (const auto check = index_check(pointer, access, "0", mode))
    return fmt::format("({}) + {}", text, *check);
  return text;
}

void Renderer::subscript_pieces(const clang::ArraySubscriptExpr& node, Mode mode, Pieces& out) {
  const clang::Expr& index = *node.getIdx()->IgnoreImplicit();
  const unsigned from = begin(index);
  const auto piece = std::ranges::find(out, from, &Piece::begin);
  if (piece == out.end() || node.getBase() != node.getLHS())
    return leave_unguarded(node, "the index comes first");
  const clang::Expr* base = node.getBase();
  std::optional<std::uint64_t> count;
  if (const auto* type =
          tree_.context().getAsConstantArrayType(base->IgnoreParenImpCasts()->getType()))
    count = type->getSize().getZExtValue();
  else if (const auto* vector = base->IgnoreImplicit()->getType()->getAs<clang::ExtVectorType>())
    count = vector->getNumElements();
  if (count) {
    clang::Expr::EvalResult value;
    const bool lies_within = index.EvaluateAsInt(value, tree_.context()) &&
                             value.Val.getInt().getExtValue() >= 0 &&
                             static_cast<std::uint64_t>(value.Val.getInt().getExtValue()) < *count;
    const auto site = sites_.find(&index);
    // No mutant changes the index, because it is in a copy or is a number without mutants.
    if (lies_within &&
        (mode == Mode::Plain || (llvm::isa<clang::IntegerLiteral>(index) && site == sites_.end())))
      return;
    const unsigned guard = guards_.number(node, function_->getNameAsString());
    if (lies_within && site != sites_.end() && has_neighbours(index, site->second))
      piece->text = fmt::format("GPUTEST_ELEMENT({}, {}, {}, {}, {})", site->second.first,
                                site->second.index, plain(index), *count, guard);
    else
      piece->text = fmt::format("{}WITHIN({}, {}, {})", prefix(mode), piece->text, *count, guard);
    return;
  }
  if (auto check = index_check(*base, node, piece->text, mode))
    piece->text = std::move(*check);
}

void Renderer::division_pieces(const clang::BinaryOperator& node, const Proposal* mutant,
                               Pieces& out) {
  std::string operation = node.getOpcodeStr().str();
  const unsigned at = tree_.offset(node.getOperatorLoc());
  if (mutant)
    for (const Replacement& change : mutant->patch)
      if (change.begin == at && change.end > at && change.parts.size() == 1)
        operation = change.parts.front().text;
  if (operation != "/" && operation != "%" && operation != "/=" && operation != "%=")
    return;
  const clang::Expr* divisor = node.getRHS();
  clang::QualType type = divisor->getType();
  if (const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(&node)) {
    if (!is_integer(compound->getComputationResultType()))
      return;
    type = divisor->IgnoreParenImpCasts()->getType();
  } else if (node.isAssignmentOp()) { // a = b, made a /= b
    type = divisor->IgnoreParenImpCasts()->getType();
    if (!is_integer(node.getLHS()->getType()))
      return;
  }
  clang::Expr::EvalResult value;
  if (!is_integer(type) || !is_integer(node.getType()))
    return;
  if (divisor->EvaluateAsInt(value, tree_.context()) && value.Val.getInt() != 0 && !mutant &&
      llvm::isa<clang::IntegerLiteral>(divisor->IgnoreParenImpCasts()))
    if (!sites_.contains(divisor->IgnoreImplicit()))
      return;
  const clang::Expr& written = *divisor->IgnoreImplicit();
  const auto piece = std::ranges::find(out, begin(written), &Piece::begin);
  if (piece == out.end())
    return;
  std::string text = piece->text;
  // A scalar divides every component of a vector.
  const std::string name = arithmetic_name(type);
  if (name != arithmetic_name(written.getType()) && type->isExtVectorType())
    text = fmt::format("({})({})", name, text);
  const unsigned guard = guards_.number(node, function_->getNameAsString());
  const std::string dividend = arithmetic_name(node.getLHS()->getType());
  if (Helpers::is_signed(name) && dividend == name && is_simple(*node.getLHS()))
    piece->text = fmt::format("{}(gputest, ({}) == {}, {}, {})", helpers_.signed_divisor(name),
                              in_one_line(plain(*node.getLHS()->IgnoreImplicit())),
                              Helpers::smallest(name), text, guard);
  else
    piece->text = fmt::format("{}(gputest, {}, {})", helpers_.divisor(name), text, guard);
}

void Renderer::call_pieces(const clang::CallExpr& call, Mode mode, Pieces& out) {
  const auto text_of = [&](const clang::Expr& argument) {
    return std::ranges::find(out, begin(argument), &Piece::begin);
  };
  const clang::FunctionDecl* callee = call.getDirectCallee();
  const clang::FunctionDecl* definition = nullptr;
  if (callee && kept_.contains(callee->getCanonicalDecl()))
    return;
  if (callee && callee->hasBody(definition)) { // one of the file's functions: with the context, and
                                               // bounds of its pointers
    std::string more;
    if (frontend::is_kernel(*callee)) {
      more = "gputest->state";
    } else {
      more = "gputest";
      for (const clang::Expr* argument : call.arguments()) {
        if (!argument->getType()->isPointerType())
          continue;
        const std::optional<Bounds> bounds = pointers_.bounds(*argument);
        if (!bounds)
          leave_unguarded(*argument, "the object it points into is not known");
        more += bounds ? fmt::format(", {}, {}", bounds->low, bounds->size) : ", 0, ~0ul";
      }
    }
    const unsigned close = tree_.offset(call.getRParenLoc());
    out.push_back({close, close, (call.getNumArgs() > 0 ? ", " : "") + more});
    return;
  }
  const llvm::StringRef name = builtin_name(call);
  if (const VectorAccess access = vector_access(name);
      access.elements > 0 && call.getNumArgs() > access.pointer) {
    const clang::Expr& pointer = *call.getArg(access.pointer);
    const clang::Expr& offset = *call.getArg(access.offset)->IgnoreImplicit();
    const auto piece = text_of(offset);
    const std::optional<Bounds> bounds = pointers_.bounds(pointer);
    if (!bounds || piece == out.end() || !has_no_effect(*pointer.IgnoreImplicit()))
      return leave_unguarded(call, "the object it points into is not known");
    const std::string bytes = access.halves
                                  ? fmt::format("{}", 2 * access.elements)
                                  : fmt::format("{} * sizeof(*({}))", access.elements,
                                                in_one_line(plain(*pointer.IgnoreImplicit())));
    piece->text =
        fmt::format("{}VECTOR_AT({}, {}, {}, {}, {}, {})", prefix(mode), piece->text,
                    in_one_line(plain(*pointer.IgnoreImplicit())), bounds->low, bounds->size, bytes,
                    guards_.number(call, function_->getNameAsString()));
    return;
  }
  if (name.starts_with("atom") && call.getNumArgs() > 0) {
    const clang::Expr& pointer = *call.getArg(0)->IgnoreImplicit();
    if (const auto piece = text_of(pointer); piece != out.end())
      piece->text = accessed(*call.getArg(0), call, piece->text, mode);
    return;
  }
  if (name.starts_with("async_work_group"))
    leave_unguarded(call, "it copies in the background");
}

void Renderer::guard_pieces(const clang::Expr& node, Mode mode, Pieces& out) {
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&node)) {
    if (!addressed_.contains(&node))
      subscript_pieces(*element, mode, out);
    return;
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node))
    return call_pieces(*call, mode, out);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node)) {
    if (unary->getOpcode() == clang::UO_AddrOf) // an address may be behind the last element
      return;
    if (unary->getOpcode() != clang::UO_Deref || addressed_.contains(&node))
      return;
    const clang::Expr& pointer = *unary->getSubExpr()->IgnoreImplicit();
    if (unary->getSubExpr()->getType()->isFunctionPointerType())
      return;
    const auto piece = std::ranges::find(out, begin(pointer), &Piece::begin);
    if (piece == out.end())
      return;
    if (has_no_effect(pointer)) {
      if (const auto check = index_check(*unary->getSubExpr(), node, "0", mode))
        piece->text = fmt::format("(({}) + {})", piece->text, *check);
      return;
    }
    // *p++: the address itself is corrected, so that it is computed once.
    const std::optional<Bounds> bounds = pointers_.bounds(*unary->getSubExpr());
    if (!bounds)
      return leave_unguarded(node, "the object it points into is not known");
    const clang::QualType type = unary->getSubExpr()->getType();
    piece->text =
        fmt::format("(({})GPUTEST_ADDRESS({}, {}, {}, {}, {}))",
                    name_of_type(type, tree_.context()), piece->text, bounds->low, bounds->size,
                    tree_.context().getTypeSizeInChars(type->getPointeeType()).getQuantity(),
                    guards_.number(node, function_->getNameAsString()));
    return;
  }
  const clang::Expr* base = nullptr;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&node); member && member->isArrow())
    base = member->getBase();
  if (const auto* component = llvm::dyn_cast<clang::ExtVectorElementExpr>(&node);
      component && component->isArrow())
    base = component->getBase();
  if (!base || addressed_.contains(&node))
    return;
  const auto piece = std::ranges::find(out, begin(*base->IgnoreImplicit()), &Piece::begin);
  if (piece == out.end())
    return;
  if (const auto check = index_check(*base, node, "0", mode))
    piece->text = fmt::format("(({}) + {})", piece->text, *check);
}

} // namespace gputest::passes::mutation
