// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes functions with guards and, if wanted, with all mutants of each node beside the original.
//
// A node's text consists of its children's texts and of the flat text between them. So a mutant of
// a node is one more text of that node alone, with its children as in the original.
#pragma once

#include "passes/dataflow/barriers.h"
#include "passes/guards/bounds.h"
#include "passes/mutation/guard_book.h"
#include "passes/mutation/helpers.h"
#include "passes/mutation/proposals.h"

#include <map>
#include <optional>
#include <set>

namespace gputest::passes::mutation {

// The mutants of one node.
struct MutationSite {
  unsigned index = 0; // its bit in the section `reached`
  unsigned first = 0; // number of its first mutant; the others follow
  std::vector<const Proposal*> mutants;

  // Returns the number of its first mutant with this manner; nullopt if there is none.
  std::optional<unsigned> number_of(Manner manner) const;
};

// Whether `node` is a number of type int whose mutants are the next and the previous number.
bool has_neighbours(const clang::Expr& node, const MutationSite& site);

// Returns the new operator if a mutant only swaps the operator at `at`, perhaps with new
// parentheses around its operands; empty if it does anything else.
std::string swapped_operator(const Proposal& mutant, unsigned at);

class Renderer {
public:
  using Sites = std::map<const clang::Stmt*, MutationSite>;

  Renderer(const frontend::Tree& tree, const BarrierPlan& plan, const Sites& sites,
           GuardBook& guards, const std::set<const clang::FunctionDecl*>& kept);

  // The body of a function, with its braces.
  std::string body(const clang::FunctionDecl& function);

  const Helpers& helpers() const { return helpers_; }
  std::vector<model::NotInstrumented> unguarded; // accesses that are not checked

private:
  // Switched: with all mutants. Plain: without mutants, small, for the copy that belongs to one
  // mutant and rarely runs.
  enum class Mode { Plain, Switched };
  enum class Division { Checked, Unchecked };
  struct Piece {
    unsigned begin = 0, end = 0;
    std::string text;
  };
  using Pieces = std::vector<Piece>;

  std::string body(const clang::CompoundStmt& body, Mode mode);
  std::string declarations(const clang::CompoundStmt& body, Mode mode) const;
  std::string block(const clang::BlockExpr& block, Mode mode);
  std::string statement(const clang::Stmt& node, Mode mode);
  std::string branch(const clang::Stmt& node, Mode mode);
  std::string statement_text(const clang::Stmt& node, Mode mode);
  std::string loop(const clang::Stmt& node, Mode mode);
  std::string expression(const clang::Expr& node, Mode mode);
  std::string plain(const clang::Expr& node);
  std::string original(const clang::Expr& node, Mode mode, const Proposal* mutant);
  std::string switched(const clang::Expr& node, const MutationSite& site);
  std::string either(const clang::Expr& node, const MutationSite& site); // all are evaluated
  std::optional<std::uint64_t> codes_of(const clang::BinaryOperator& node,
                                        const MutationSite& site) const;
  std::optional<std::string> arithmetic(const clang::BinaryOperator& node,
                                        const MutationSite& site);
  std::optional<std::string> assignment(const clang::BinaryOperator& node,
                                        const MutationSite& site);
  std::optional<std::string> contracted(const clang::BinaryOperator& node,
                                        const MutationSite& site);
  std::string condition(const clang::Expr& node, std::string text);

  Pieces pieces(const clang::Expr& node, Mode mode, const Proposal* mutant,
                Division division = Division::Checked);
  void guard_pieces(const clang::Expr& node, Mode mode, Pieces& out);
  void call_pieces(const clang::CallExpr& call, Mode mode, Pieces& out);
  void division_pieces(const clang::BinaryOperator& node, const Proposal* mutant, Pieces& out);
  void subscript_pieces(const clang::ArraySubscriptExpr& node, Mode mode, Pieces& out);
  std::string part_text(const Part& part, bool guarded);
  std::string accessed(const clang::Expr& pointer, const clang::Stmt& access, std::string text,
                       Mode mode);
  static std::string_view prefix(Mode mode);
  std::optional<std::string> index_check(const clang::Expr& pointer, const clang::Stmt& access,
                                         const std::string& index, Mode mode);
  void leave_unguarded(const clang::Stmt& node, const std::string& reason);

  std::string compose(unsigned begin, unsigned end, Pieces pieces) const;
  static std::string in_one_line(const std::string& text);
  std::string pick(const MutationSite& site) const;
  std::string keep(const MutationSite& site, Manner manner) const;
  std::string choice(const clang::Expr& node, const MutationSite& site, const std::string& mutants,
                     const std::string& original) const;

  unsigned begin(const clang::Stmt& node) const { return tree_.begin(node.getSourceRange()); }
  unsigned end(const clang::Stmt& node) const { return tree_.end(node.getSourceRange()); }

  const frontend::Tree& tree_;
  const BarrierPlan& plan_;
  const std::set<const clang::FunctionDecl*>&
      kept_; // canonical declarations: they stay as they are
  const Sites& sites_;
  GuardBook& guards_;
  Pointers pointers_;
  Helpers helpers_;
  const clang::FunctionDecl* function_ = nullptr;
  std::string variables_;                          // declarations that the function's text needs
  std::set<const clang::VarDecl*> constants_;      // of function_, see constant_expressions.h
  std::map<const clang::Stmt*, unsigned> vote_of_; // by condition
  std::map<const clang::Stmt*, std::string> plain_;
  std::set<const clang::Stmt*> unguarded_; // those reported already
  std::set<const clang::Stmt*> addressed_; // nodes whose address is taken, without an access
};

} // namespace gputest::passes::mutation
