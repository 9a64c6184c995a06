// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about types and expressions.
#pragma once

#include "model/type.h"

#include <clang/AST/Expr.h>

#include <optional>
#include <string>

namespace gputest::passes {

// The scalar type of kernels that the type is, on a device where long has 64 bits.
std::optional<model::Scalar> scalar_of(const clang::BuiltinType& type);
// Returns int, uint, long, ulong, float, double, half, char, …; empty for other types.
std::string scalar_name(clang::QualType type);
// scalar_name(), or the name of a vector such as float4.
std::string arithmetic_name(clang::QualType type);
bool is_integer(clang::QualType type);  // scalar or vector
bool is_floating(clang::QualType type); // scalar or vector
// The name of a parameter; "argument<position>" where the source gives none.
std::string argument_name(const clang::ParmVarDecl& parameter);
// Whether the expression can be evaluated twice instead of once.
bool has_no_effect(const clang::Expr& expression);
// The name of the built-in function that is called; empty for others.
llvm::StringRef builtin_name(const clang::CallExpr& call);

} // namespace gputest::passes
