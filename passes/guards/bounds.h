// Which object a pointer points into, and how large that is: what an access is checked against.
//
// Followed are pointers that come from one parameter, array or variable, through any arithmetic,
// casts and local pointer variables. Parameters of helper functions get their bounds from the
// caller.
#pragma once

#include "frontend/parse.h"

#include <map>
#include <optional>
#include <string>

namespace gputest::passes::mutation {

// OpenCL C expressions of type ulong: the address an object begins at, and its bytes.
struct Bounds {
  std::string low, size;
};

class Pointers {
public:
  explicit Pointers(const Tree& tree);

  // At the place of `pointer` in the text. Nothing where the object is not known.
  std::optional<Bounds> bounds(const clang::Expr& pointer) const;

  // Names of a parameter's bounds.
  static Bounds parameter(unsigned index);

private:
  // Null: none seen yet. `many`: several, or one that is not known.
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
  const Tree& tree_;
  std::map<const clang::VarDecl*, Root> roots_;   // of pointer variables
  std::map<const clang::VarDecl*, Scope> scopes_; // of local variables
  std::map<std::string, unsigned> names_;         // how many local variables are called so
};

} // namespace gputest::passes::mutation
