// How the coverage pass walks a file: private to passes/coverage*.cpp, which tell one story each:
// functions and the table (coverage.cpp), statements and switches (coverage_statements.cpp), loops
// (coverage_loops.cpp), decisions and calls (coverage_expressions.cpp).
#pragma once

#include "frontend/edits.h"
#include "passes/coverage/coverage.h"
#include "passes/coverage/sites.h"
#include "passes/dataflow/counted_loops.h"
#include "passes/dataflow/trip_counts.h"
#include "passes/guards/barriers.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <map>
#include <optional>
#include <set>

namespace gputest::passes {

struct Loop {
  unsigned number = 0;
  Bit zero;           // bits zero, one, many
  std::string closed; // the call that classifies its latest execution
  const clang::Stmt* statement = nullptr;
};

class Instrumenter {
public:
  Instrumenter(const Tree& tree, const std::string& source_name)
      : tree_(tree), context_(tree.context()), book_(tree, source_name),
        plan_(plan_barriers(tree)) {}

  CoverageVariant run(const std::vector<IgnoreComment>& comments);

private:
  // ---- functions ----

  bool is_ours(const clang::FunctionDecl& function) const;

  void instrument_function(const clang::FunctionDecl& function);

  std::string leave() const;

  // The end of a kernel with barriers within conditions, to which every `return` of it leads: a
  // barrier ahead of what publishes the words. PoCL 3.1 copies what follows such barriers, and gets
  // conditional stores in front of a conditional publication wrong there.
  std::string meet_at_end(const clang::Stmt& body);

  static std::string hit(Bit bit);

  Bit new_bits(unsigned count);

  // ---- statements; `probe` is the bit that says that control reached this place ----

  void walk(const clang::Stmt& statement, Bit probe);

  void walk_sequence(const clang::CompoundStmt& compound, Bit probe, bool starts_unknown);

  // A statement behind one or more labels. Returns the bit that says that control came by.
  Bit walk_labelled(const clang::Stmt& statement);

  void statement_site(unsigned begin, unsigned end, Bit probe);

  // From the statement's keyword up to its body.
  void header_site(const clang::Stmt& statement, const clang::Stmt& body, Bit probe);

  void walk_if(const clang::IfStmt& choice, Bit probe);

  void walk_declaration(const clang::DeclStmt& declaration, Bit probe);

  static bool is_compile_time(const clang::VarDecl& variable);

  void walk_return(const clang::ReturnStmt& statement, Bit probe);

  void walk_goto(const clang::GotoStmt& statement);

  // After the colon of the label that begins at `offset`; a case's expression may hold `?:`.
  void insert_after_colon(unsigned offset, const std::string& text);

  unsigned colon_after(unsigned offset) const;

  // Where text goes that must precede a statement, its attributes and pragmas included.
  unsigned in_front_of(const clang::Stmt& statement) const;

  // ---- loops ----

  // A loop counts its iterations in a variable of its own, and is classified where control leaves
  // it. That its condition was true follows from the iterations. `no`: the bits of its condition.
  // Returns whether that it was false is recorded, too.
  // `trips` of a loop whose condition is not constant.
  bool begin_loop(const clang::Stmt& loop, const clang::Stmt& body, const char* kind,
                  bool can_be_zero, bool can_run, bool can_be_many, std::optional<Bit> no,
                  std::optional<Bit> reached, const TripCount& trips);

  // A loop of which it is known before it runs how often it does is classified there, and costs
  // nothing while it runs. Returns whether `loop` is one.
  bool count_ahead(const clang::Stmt& loop, Bit no);

  // Compilers for CPUs keep what lives across a barrier in an array over the work-items, which in a
  // loop with a barrier costs as much as the loop. So a group for which all outcomes inside are
  // known already runs a copy of the loop that records none. `before`: how many bits the function
  // had before the body.
  void copy_for_known(const clang::ForStmt& loop, std::size_t before);
  bool can_be_copied(const clang::ForStmt& loop) const;

  // A loop into whose body control jumps keeps its counter in the context, and is classified when
  // control comes to it again or leaves the kernel. `reached`: the bit of the body's beginning.
  void wrap_open_loop(const clang::Stmt& loop, const clang::Stmt& body, Bit zero, Bit reached);

  void wrap_loop(const clang::Stmt& loop, const clang::Stmt& body, const std::string& before,
                 const std::string& after, const std::string& iteration);

  // What a jump to `target` must do first: classify the loops that it leaves. nullptr: out of the
  // function.
  std::string close_loops(const clang::Stmt* target) const;

  // Where control jumps into a loop's body, its beginning is reached by repetition alone.
  std::optional<Bit> beginning_of(const clang::Stmt& body);

  // The value of a condition that cannot change; none: always true.
  std::optional<bool> constant_condition(const clang::Expr* condition) const;

  // Walks what control reaches when a condition has one value. Where it never has, nothing in there
  // counts.
  void on_side(bool side, std::optional<bool> constant, const clang::Expr& condition,
               llvm::function_ref<void()> go);

  // The bits of a loop's condition (false, true), followed by those of its cases: in one word, so
  // that they can be set together.
  Bit condition_bits() { return new_bits(5); }

  // `closed`: whether control comes into the body through its beginning only. `never`: the
  // condition is false whenever control comes here.
  void decide_loop(const clang::Expr& condition, Bit no, Bit probe, bool closed, bool never);

  TripCount trips_of(const clang::Stmt& loop) const;
  // Whether control never comes to the body of a for or while.
  bool never_runs(const clang::Stmt& loop, const clang::Expr* condition) const;

  // for and while. Returns the bit that says that the body was reached.
  Bit walk_loop_head(const clang::Stmt& loop, const clang::Expr* condition, const clang::Stmt& body,
                     const char* kind, Bit probe);

  // What stands in a loop that never runs does not count.
  void walk_body(const clang::Stmt& loop, const clang::Expr* condition, const clang::Stmt& body,
                 llvm::function_ref<void()> go);

  void walk_for(const clang::ForStmt& loop, Bit probe);

  void walk_while(const clang::WhileStmt& loop, Bit probe);

  void walk_do(const clang::DoStmt& loop, Bit probe);

  void enter_loop(const clang::Stmt& loop);

  void leave_loop(const clang::Stmt& loop);

  // ---- switch ----

  struct Switch {
    unsigned number = 0;
    std::set<const clang::SwitchCase*> fallthrough; // labels that control can fall into
  };

  void walk_switch(const clang::SwitchStmt& statement, Bit probe);

  // Returns the bit that says that control came by, selected or fallen.
  Bit case_label(const clang::SwitchCase& label);

  // ---- expressions ----

  // A decision with both outcomes recorded; `no` is the bit of `false`, that of `true` follows.
  // `selects`: see recording().
  void decide_with(const clang::Expr& condition, const char* kind, Bit no, Bit probe, bool selects);

  void decision_site(const clang::Expr& condition, model::Criterion criterion, const char* kind,
                     Bit no, std::optional<bool> constant);

  // Compilers turn some decisions into selections and leave the others branches. Recording must go
  // along: code in the way of a branch costs more than code on each side of it, and code on the
  // sides makes a branch of what was a selection, so that the loop over work-items is not
  // vectorised any more. Between the barriers of a loop there is such a loop each time round. What
  // leads to a barrier must not be branched on more than once.
  std::string recording(Bit no, bool selects) const;

  void wrap_decision(const clang::Expr& condition, std::string left);

  // Whether an `if` does nothing but compute values of local variables: no memory is accessed, no
  // function called, nothing else decided.
  static bool only_computes(const clang::IfStmt& choice);
  static bool computes(const clang::Stmt& node);

  // The operands of logical operators inside a condition, or what else it is made of.
  void operands(const clang::Expr& expression, Bit probe);

  static bool is_logical(const clang::Expr& expression);

  void visit_logical(const clang::Expr& expression, Bit probe);

  // One operand of && || !: recorded unless it is itself made of such operators.
  void condition(const clang::Expr& operand, Bit probe);

  void visit_children_of(const clang::Stmt& statement, Bit probe);

  // Everything evaluated inside a statement. `whole`: this is all that the statement does.
  void visit(const clang::Stmt& node, Bit probe, bool whole);

  void visit_conditional(const clang::ConditionalOperator& choice, Bit probe);

  void visit_call(const clang::CallExpr& call, Bit probe, bool whole);

  void visit_barrier(const clang::CallExpr& call, Bit probe, bool whole);

  // For the wrapper kernel: calls get the context, nothing is recorded.
  void visit_children(const clang::Stmt& node);

  // ---- the table and the prelude ----

  void describe_kernels();

  // Ids of barriers exist only once the book is closed.
  void name_vote_barriers(model::SiteTable& table) const;

  std::string prelude() const;

  const Tree& tree_;
  clang::ASTContext& context_;
  SiteBook book_;
  BarrierPlan plan_;
  Edits edits_;
  const clang::FunctionDecl* current_ = nullptr;
  bool leaves_together_ = false; // `current_` is a kernel with such an end
  unsigned loops_ = 0, open_loops_ = 0, switches_ = 0;
  unsigned barrier_loops_ = 0;                     // around what is walked now
  std::string ends_;                               // what kernels begin and leave with
  std::set<const clang::FunctionDecl*> functions_; // canonical declarations
  std::map<const clang::Expr*, unsigned> vote_of_;
  std::map<const clang::FunctionDecl*, std::vector<unsigned>> function_bits_;
  std::map<const clang::Stmt*, std::pair<unsigned, std::string>>
      counted_;                                 // what was inserted where
  std::set<const clang::FunctionDecl*> copied_; // kernels that have copies of loops
  std::vector<Loop> loop_stack_;                // around what is walked now, open ones left out
  std::map<const clang::FunctionDecl*, std::vector<Loop>> function_open_loops_;
  std::set<const clang::FunctionDecl*> function_loops_; // functions that have loops
  std::map<const clang::FunctionDecl*, bool> function_barriers_;
  std::map<const clang::CallExpr*, std::size_t> barrier_sites_; // in the book
  std::vector<Switch> switch_stack_;
  std::map<const clang::Stmt*, const clang::AttributedStmt*> attributed_; // by the statement inside
};

} // namespace gputest::passes
