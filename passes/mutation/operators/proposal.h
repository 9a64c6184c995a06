// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators propose changes of the flat text. Each proposal makes one mutant.
#pragma once

#include "frontend/parse.h"
#include "passes/mutation/operators/dimensions.h"

#include <clang/AST/Expr.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::passes::mutation {

// Text, or the text of a node of the tree.
struct Part {
  std::string text;
  const clang::Expr* node = nullptr;
  bool accessed = false; // a pointer that the new text reads or writes through
};

struct Replacement {
  unsigned begin = 0, end = 0; // in the flat text; equal: an insertion
  std::vector<Part> parts;
};

// The way in which a mutant and the original share one program.
enum class Manner {
  Expression, // both are expressions of one type: c ? mutant : original
  Deletion,   // a statement that is not executed
  LoopSkip,   // the body is not executed at all
  LoopMore,   // one iteration more
  LoopLess,   // one iteration less
  Share,      // CUDA: a declaration of __shared__ variables, which become a thread's own
  Program     // they share none
};

struct Proposal {
  std::string_view operator_name;
  Manner manner = Manner::Expression;
  const clang::Stmt* node = nullptr; // the change is within this node; null: a declaration
  unsigned begin = 0, end = 0;       // the text that reports show as the original
  std::string replacement{};         // the text that reports show as the mutant
  std::vector<Replacement> patch{};  // in order, disjoint
  bool synchronisation = false;
  std::string variable{};     // LoopLess: the variable that the loop's step changes
  std::string declarations{}; // declarations of variables that the new text needs, for the
                              // beginning of the function
};

// A node as operators see it.
struct Candidate {
  const clang::FunctionDecl& function;
  const clang::Stmt& node;
  const clang::Stmt* parent = nullptr;   // the nearest parent that is not implicit; null: the body
  const clang::Expr* assigned = nullptr; // the assignment or ++ whose target has this node
  bool unused = false;                   // an expression whose value is not used
  bool in_block = false; // a statement that may be left out: not a declaration, not a label's
};

class Proposals {
public:
  explicit Proposals(const frontend::Tree& tree) : dimensions(dimensions_used(tree)), tree_(tree) {}

  const std::map<const clang::FunctionDecl*, unsigned> dimensions; // see dimensions_used

  const frontend::Tree& tree() const { return tree_; }
  clang::ASTContext& context() const { return tree_.context(); }

  unsigned begin(const clang::Stmt& node) const { return tree_.begin(node.getSourceRange()); }
  unsigned end(const clang::Stmt& node) const { return tree_.end(node.getSourceRange()); }
  // Returns the text of `node` after preprocessing, white space folded.
  std::string text(const clang::Stmt& node) const;
  // Sets the offsets of the token that begins at `location`. Returns false if the text has no such
  // token, because preprocessing left it in a macro's body.
  bool token(clang::SourceLocation location, unsigned& begin, unsigned& end) const;

  // Proposes `node` with one token swapped.
  void swap_token(std::string_view operator_name, const clang::Stmt& node,
                  clang::SourceLocation token, const std::string& text);
  // Proposes the node of `place`, a binary operator, with another operator between the same
  // operands. Parentheses keep the operands together if the new operator would bind them otherwise.
  void swap_operator(std::string_view operator_name, const Candidate& place,
                     clang::BinaryOperatorKind other);
  // Proposes `node` with parts of it replaced.
  void replace(std::string_view operator_name, const clang::Stmt& node,
               std::vector<Replacement> patch);
  // Adds any other proposal. `begin`, `end` and `replacement` are derived from the patch if they
  // are not set.
  void add(Proposal proposal);
  // Notes a construct that `operator_name` would change and cannot.
  void not_mutated(std::string_view operator_name, const clang::Stmt& node, std::string reason);

  std::vector<Proposal> proposals;
  std::vector<model::NotInstrumented> unreached;

private:
  std::string patched(unsigned begin, unsigned end, const std::vector<Replacement>& patch) const;
  const frontend::Tree& tree_;
};

using Operator = void (*)(const Candidate& place, Proposals& out);

} // namespace gputest::passes::mutation
