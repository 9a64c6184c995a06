// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/nodes.h"

#include "frontend/walk.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Type.h>
#include <utility>

namespace gputest::passes {
namespace {

clang::QualType element_of(clang::QualType type) {
  const auto* vector = type->getAs<clang::ExtVectorType>();
  return vector ? vector->getElementType() : type;
}

} // namespace

std::optional<model::Scalar> scalar_of(const clang::BuiltinType& type) {
  using Kind = clang::BuiltinType::Kind;
  using model::Scalar;
  static constexpr std::pair<Kind, Scalar> kScalars[]{
      {Kind::Bool, Scalar::Bool},       {Kind::Char_S, Scalar::Char},
      {Kind::Char_U, Scalar::Char},     {Kind::SChar, Scalar::Char},
      {Kind::UChar, Scalar::UChar},     {Kind::Short, Scalar::Short},
      {Kind::UShort, Scalar::UShort},   {Kind::Int, Scalar::Int},
      {Kind::UInt, Scalar::UInt},       {Kind::Long, Scalar::Long},
      {Kind::LongLong, Scalar::Long},   {Kind::ULong, Scalar::ULong},
      {Kind::ULongLong, Scalar::ULong}, {Kind::Half, Scalar::Half},
      {Kind::Float16, Scalar::Half},    {Kind::Float, Scalar::Float},
      {Kind::Double, Scalar::Double}};
  for (const auto& [kind, scalar] : kScalars)
    if (kind == type.getKind())
      return scalar;
  return std::nullopt;
}

std::string scalar_name(clang::QualType type) {
  const auto* builtin = llvm::dyn_cast<clang::BuiltinType>(type.getCanonicalType().getTypePtr());
  if (const auto* enumeration = type->getAs<clang::EnumType>())
    builtin = llvm::dyn_cast<clang::BuiltinType>(
        enumeration->getDecl()->getIntegerType().getCanonicalType().getTypePtrOrNull());
  if (!builtin)
    return {};
  switch (builtin->getKind()) {
  case clang::BuiltinType::Bool:
  case clang::BuiltinType::Float16:
    return {};
  case clang::BuiltinType::Char_U:
    return "uchar";
  default:
    break;
  }
  const auto scalar = scalar_of(*builtin);
  return scalar ? std::string(name_of(*scalar)) : std::string();
}

std::string arithmetic_name(clang::QualType type) {
  if (const auto* vector = type->getAs<clang::ExtVectorType>()) {
    const std::string element = scalar_name(vector->getElementType());
    return element.empty() ? "" : element + std::to_string(vector->getNumElements());
  }
  return scalar_name(type);
}

bool is_integer(clang::QualType type) {
  return element_of(type)->isIntegerType() && !arithmetic_name(type).empty();
}

bool is_floating(clang::QualType type) {
  return element_of(type)->isRealFloatingType() && !arithmetic_name(type).empty();
}

// Functions of work-groups and sub-groups.
static bool waits_for_others(llvm::StringRef name) {
  return name.contains("_group_") && !name.starts_with("get_");
}

bool has_no_effect(const clang::Expr& expression) {
  return !frontend::any_of(expression, [](const clang::Stmt& node) {
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node))
      return unary->isIncrementDecrementOp();
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node))
      return binary->isAssignmentOp();
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node)) {
      const llvm::StringRef name = builtin_name(*call);
      return name.empty() || name.starts_with("atom") || name.contains("barrier") ||
             waits_for_others(name) || name.starts_with("vstore") || name.starts_with("write_") ||
             name.starts_with("async_");
    }
    return llvm::isa<clang::StmtExpr, clang::AtomicExpr>(node);
  });
}

llvm::StringRef builtin_name(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  return callee && callee->getIdentifier() && !callee->hasBody() ? callee->getName()
                                                                 : llvm::StringRef();
}

std::string argument_name(const clang::ParmVarDecl& parameter) {
  return parameter.getIdentifier() ? parameter.getNameAsString()
                                   : "argument" + std::to_string(parameter.getFunctionScopeIndex());
}

} // namespace gputest::passes
