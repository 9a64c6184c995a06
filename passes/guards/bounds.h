// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the object into which a pointer points, and its size. Accesses are checked against both.
//
// A pointer is followed if it comes from one parameter, array or variable, through any arithmetic,
// casts and local pointer variables. Parameters of helper functions get their bounds from the
// caller.
#pragma once

#include "frontend/parse.h"

#include <map>
#include <optional>
#include <string>

namespace gputest::passes {

// OpenCL C expressions of type ulong: the address at which an object begins, and its size in bytes.
struct Bounds {
  std::string low, size;
};

class Pointers {
public:
  explicit Pointers(const frontend::Tree& tree);

  // Returns bounds that are valid at the place of `pointer` in the text; nullopt if the object is
  // not known.
  std::optional<Bounds> bounds(const clang::Expr& pointer) const;

  // Returns the names of the bounds of the parameter with this index.
  static Bounds parameter(unsigned index);

private:
  // Null: none seen yet. `many`: several objects, or one that is not known.
  struct Root {
    const clang::VarDecl* variable = nullptr;
    bool many = false;
  };
  static Root join(Root a, Root b);
  Root root_of(const clang::Expr& pointer) const;
  Root object_of(const clang::Expr& lvalue) const;
  bool in_scope(const clang::VarDecl& variable, unsigned offset) const;

  struct Scope {
    unsigned begin = 0, end = 0;
  };
  const frontend::Tree& tree_;
  std::map<const clang::VarDecl*, Root> roots_;   // the roots of pointer variables
  std::map<const clang::VarDecl*, Scope> scopes_; // the scopes of local variables
  std::map<std::string, unsigned> names_;         // how many local variables have this name
};

} // namespace gputest::passes
