// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/nodes.h"

#include "frontend/walk.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Type.h>

namespace gputest::passes {
namespace {

clang::QualType element_of(clang::QualType type) {
  const auto* vector = type->getAs<clang::ExtVectorType>();
  return vector ? vector->getElementType() : type;
}

} // namespace

std::string scalar_name(clang::QualType type) {
  const auto* builtin = llvm::dyn_cast<clang::BuiltinType>(type.getCanonicalType().getTypePtr());
  if (const auto* enumeration = type->getAs<clang::EnumType>())
    builtin = llvm::dyn_cast<clang::BuiltinType>(
        enumeration->getDecl()->getIntegerType().getCanonicalType().getTypePtrOrNull());
  if (!builtin)
    return {};
  switch (builtin->getKind()) {
  case clang::BuiltinType::Char_S:
  case clang::BuiltinType::SChar:
    return "char";
  case clang::BuiltinType::Char_U:
  case clang::BuiltinType::UChar:
    return "uchar";
  case clang::BuiltinType::Short:
    return "short";
  case clang::BuiltinType::UShort:
    return "ushort";
  case clang::BuiltinType::Int:
    return "int";
  case clang::BuiltinType::UInt:
    return "uint";
  case clang::BuiltinType::Long:
  case clang::BuiltinType::LongLong:
    return "long";
  case clang::BuiltinType::ULong:
  case clang::BuiltinType::ULongLong:
    return "ulong";
  case clang::BuiltinType::Float:
    return "float";
  case clang::BuiltinType::Double:
    return "double";
  case clang::BuiltinType::Half:
    return "half";
  default:
    return {};
  }
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
  return !any_of(expression, [](const clang::Stmt& node) {
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
