// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coverage pass walks a file with this class. It is private to passes/coverage/, where each
// file tells one story: functions and the table (coverage.cpp), statements and switches, loops, and
// decisions and calls.
#pragma once

#include "frontend/edits.h"
#include "passes/coverage/coverage.h"
#include "passes/coverage/sites.h"
#include "passes/dataflow/barriers.h"
#include "passes/dataflow/counted_loops.h"
#include "passes/dataflow/trip_counts.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <map>
#include <optional>
#include <set>

namespace gputest::passes {

// A loop whose iterations are counted before it runs.
struct CountedAhead {
  Bit no;             // the first of its five bits
  unsigned place = 0; // in the flat text: where `text`
  std::string text;   // is inserted
};

struct Loop {
  unsigned number = 0;
  Bit zero;           // bits zero, one, many
  std::string closed; // the call that classifies its latest execution
  const clang::Stmt* statement = nullptr;
};

class Instrumenter {
public:
  Instrumenter(const frontend::Tree& tree, const std::string& source_name)
      : tree_(tree), context_(tree.context()), row_(model::row_of(tree.language())),
        book_(tree, source_name) {
    if (row_.has_context) // work-items vote whether all of them come
      plan_ = plan_barriers(tree);
  }

  CoverageVariant run(const std::vector<model::IgnoreComment>& comments);
  // `unit` and `apart`: see instrument_cuda_coverage().
  CoverageVariant run_cuda(const std::string& unit, bool apart,
                           const std::vector<model::IgnoreComment>& comments);

private:
  // ---- functions ----

  bool is_ours(const clang::FunctionDecl& function) const;

  void instrument_function(const clang::FunctionDecl& function);

  // A block has words of its own, which it publishes when it ends: it may run later.
  void instrument_block(const clang::BlockExpr& block);

  std::string leave() const;

  // Returns the end of a kernel with barriers within conditions, to which all its `return`s lead: a
  // barrier before the words are published. PoCL 3.1 copies the code that follows such barriers,
  // and then miscompiles conditional stores in front of a conditional publication.
  std::string meet_at_end(const clang::Stmt& body);

  static std::string hit(Bit bit);

  Bit new_bits(unsigned count);

  // ---- CUDA: no hidden argument, and C++ ----

  void instrument_device_function(const clang::FunctionDecl& function);
  // Call it at the function's end: gives its instances words behind its own `count` words. Returns
  // the arguments of GPUTEST_ENTER that find them: the hashes of their names, each with ", " before
  // it, or nothing.
  std::string add_instances(const clang::FunctionDecl& function, unsigned count);
  // Returns the parts of the template `written` that `if constexpr` leaves out of the instance
  // `made`.
  std::vector<SiteBook::Range> discarded(const clang::FunctionDecl& written,
                                         const clang::FunctionDecl& made) const;
  // Walks `statement` if C++ has such a statement and OpenCL C has not. Returns whether it did.
  bool walk_cpp(const clang::Stmt& statement, Bit probe);
  void visit_initializer(const clang::Expr& value, Bit probe);

  void walk_range(const clang::CXXForRangeStmt& loop, Bit probe);
  // An `if` whose condition is a declaration, or that is decided at compile time.
  void walk_special_if(const clang::IfStmt& choice, Bit probe);
  void walk_wrapped(const clang::Stmt& statement, Bit bit);
  // Visits an expression of C++. Returns whether nothing else is to be done for it.
  bool visit_cpp(const clang::Stmt& node, Bit probe);
  // Whether a node comes from the body of a header's macro, such as assert(), which stays as it is.
  bool is_others_macro(const clang::Stmt& node) const;
  std::string cuda_prelude(const std::string& unit) const;

  // ---- statements; `probe` is the bit that says that control reached this place ----

  void walk(const clang::Stmt& statement, Bit probe);

  void walk_sequence(const clang::CompoundStmt& compound, Bit probe, bool starts_unknown);

  // A statement behind one or more labels. Returns the bit that says that control came here.
  Bit walk_labelled(const clang::Stmt& statement);

  void statement_site(unsigned begin, unsigned end, Bit probe);

  // Adds a site from the statement's keyword up to its body.
  void header_site(const clang::Stmt& statement, const clang::Stmt& body, Bit probe);

  void walk_if(const clang::IfStmt& choice, Bit probe);

  void walk_declaration(const clang::DeclStmt& declaration, Bit probe);

  static bool is_compile_time(const clang::VarDecl& variable);
  static bool does_nothing(const clang::Expr& initialiser);

  void walk_return(const clang::ReturnStmt& statement, Bit probe);

  void walk_goto(const clang::GotoStmt& statement);

  // Inserts `text` after the colon of the label that begins at `offset`. A case's expression may
  // contain `?:`.
  void insert_after_colon(unsigned offset, const std::string& text);

  unsigned colon_after(unsigned offset) const;

  // The place for text that must precede a statement, including its attributes and pragmas.
  unsigned in_front_of(const clang::Stmt& statement) const;

  // ---- loops ----

  struct LoopSite {
    const char* kind;                                      // "for", "while", "do"
    bool has_zero = true, has_one = true, has_many = true; // cases that the loop can have
    std::optional<Bit> no{};      // the bits of its condition, if that is not constant
    std::optional<Bit> reached{}; // where control jumps into the body: the bit of its beginning
    TripCount trips{};            // known numbers of iterations, if the condition is not constant
  };
  // A loop counts its iterations in a variable of its own, and is classified where control leaves
  // it. The iterations tell whether its condition was true. Returns whether the loop also records
  // that the condition was false.
  bool begin_loop(const clang::Stmt& loop, const clang::Stmt& body, const LoopSite& has);

  // If the number of iterations is known before a loop runs, it is classified there, and costs
  // nothing while it runs. Returns whether `loop` is such a loop.
  bool count_ahead(const clang::Stmt& loop, Bit no);

  // Compilers for CPUs keep values that live across a barrier in an array over the work-items. In a
  // loop with a barrier that costs as much as the loop. So a group for which all outcomes inside
  // are already known runs a copy of the loop that records none. Only counted loops inside are
  // still counted: some of their cases can hardly ever be reached, and counting costs little.
  // `before`: the number of bits that the function had before the body.
  void copy_for_known(const clang::ForStmt& loop, std::size_t before);
  bool can_be_copied(const clang::ForStmt& loop) const;

  // A loop into whose body control jumps keeps its counter in the context. It is classified when
  // control reaches it again or leaves the kernel. `reached`: the bit of the body's beginning.
  void wrap_open_loop(const clang::Stmt& loop, const clang::Stmt& body, Bit zero, Bit reached);

  void walk_into_body(const clang::Stmt& body, Bit reached);

  // Returns the code for a jump to `place` from `from`: executions of open loops begin there, with
  // an iteration that is under way.
  std::string begin_inside(const clang::Stmt& place, const clang::Stmt& from) const;
  void begin_loops_of_jumps(); // at the end of a function, when its loops are known

  // A loop whose condition is a declaration: its iterations count, and the condition has no sites.
  void walk_declaring_loop(const clang::Stmt& loop, const clang::Stmt& body, const char* kind,
                           Bit probe, const clang::Stmt* before, const clang::Expr* step);

  void wrap_loop(const clang::Stmt& loop, const clang::Stmt& body, const std::string& before,
                 const std::string& after, const std::string& iteration);

  // The body of the innermost block, or of the function.
  const clang::Stmt& current_body() const {
    return block_ ? *block_->getBody() : *current_->getBody();
  }

  // Returns the code that must precede a jump to `target`: it classifies the loops that the jump
  // leaves. nullptr: a jump out of the function.
  std::string close_loops(const clang::Stmt* target) const;

  // If control jumps into a loop's body, only repetition reaches its beginning.
  std::optional<Bit> beginning_of(const clang::Stmt& body);

  // The value of a condition that cannot change. A missing condition is always true.
  std::optional<bool> constant_condition(const clang::Expr* condition) const;

  // Walks what control reaches when a condition has one value. If it never has that value, nothing
  // in there counts.
  void on_side(bool side, std::optional<bool> constant, const clang::Expr& condition,
               llvm::function_ref<void()> go);

  // The bits of a loop's condition (false, true), followed by those of its cases. They are in one
  // word, so that they can be set together.
  static constexpr unsigned kLoopBits = 5;
  Bit condition_bits() { return new_bits(kLoopBits); }

  // `closed`: whether control enters the body only through its beginning. `never`: whether the
  // condition is false whenever control comes here.
  void decide_loop(const clang::Expr& condition, Bit no, Bit probe, bool closed, bool never);

  TripCount trips_of(const clang::Stmt& loop) const;
  // Whether control never reaches the body of a for or while.
  bool never_runs(const clang::Stmt& loop, const clang::Expr* condition) const;

  // for and while. Returns the bit that says that the body was reached.
  Bit walk_loop_head(const clang::Stmt& loop, const clang::Expr* condition, const clang::Stmt& body,
                     const char* kind, Bit probe);

  // Nothing in a loop that never runs counts.
  void walk_body(const clang::Stmt& loop, const clang::Expr* condition, const clang::Stmt& body,
                 llvm::function_ref<void()> go);

  void walk_for(const clang::ForStmt& loop, Bit probe);

  void walk_while(const clang::WhileStmt& loop, Bit probe);

  void walk_do(const clang::DoStmt& loop, Bit probe);

  void enter_loop(const clang::Stmt& loop);

  void leave_loop(const clang::Stmt& loop);

  // ---- switch ----

  struct Switch {
    const clang::SwitchStmt* statement = nullptr;
    unsigned number = 0;
    std::set<const clang::SwitchCase*> fallthrough; // labels that control can fall into
  };

  void walk_switch(const clang::SwitchStmt& statement, Bit probe);

  // Returns the bit that says that control came here, selected or fallen through.
  Bit case_label(const clang::SwitchCase& label);

  // ---- expressions ----

  // A decision with both outcomes recorded; `no` is the bit of `false`, that of `true` follows.
  // `selects`: see recording().
  void decide_with(const clang::Expr& condition, const char* kind, Bit no, Bit probe, bool selects);

  void decision_site(const clang::Expr& condition, model::Criterion criterion, const char* kind,
                     Bit no, std::optional<bool> constant);

  // Compilers turn some decisions into selections and leave the others as branches. Recording must
  // match. Code before a branch costs more than code on each side of it. But code on the sides
  // turns a selection into a branch, so that the loop over work-items is no longer vectorised.
  // Between the barriers of a loop there is such a loop in each iteration. Only one branch may test
  // a decision that leads to a barrier.
  std::string recording(Bit no, bool selects) const;

  void wrap_decision(const clang::Expr& condition, std::string left);

  // Whether an `if` only computes values of local variables: it accesses no memory, calls no
  // function, and decides nothing else.
  static bool only_computes(const clang::IfStmt& choice);
  static bool computes(const clang::Stmt& node);

  // Records the operands of logical operators inside a condition, or visits its other parts.
  void operands(const clang::Expr& expression, Bit probe);

  static bool is_logical(const clang::Expr& expression);

  void visit_logical(const clang::Expr& expression, Bit probe);

  // What expressions of templates are in their instances.
  struct OfInstances {
    using Range = std::pair<clang::SourceLocation, clang::SourceLocation>;
    std::map<Range, clang::QualType> vectors;
    // By the place of `?`, `?:` without a middle on an object or with a meeting: why an instance
    // cannot be recorded, or nullptr.
    std::map<clang::SourceLocation, const char*> choices;
  };
  const OfInstances& of_instances();
  // The type of an expression; in a template, that of an instance in which it is a vector, if one
  // is.
  clang::QualType type_of(const clang::Expr& expression);
  bool is_vector(const clang::Expr& expression);

  // What decides: the highest bit of a component, whether it is not 0, or for the condition of `?:`
  // the former of vectors and the latter of scalars.
  enum class Decides { Sign, Value, Choice };
  // A decision whose text must keep its value: that of a vector, where each component decides, or a
  // scalar. Returns false, and does nothing, if the type is no number or vector, and the function
  // that records it (templates/coverage.cl) would need the type's name.
  bool decide_components(const clang::Expr& condition, model::Criterion criterion, const char* kind,
                         Decides decides);
  // The first operand of `?:` without a middle, an object that stays where it is.
  void decide_object(const clang::Expr& condition);
  void visit_vector_conditional(const clang::ConditionalOperator& choice, Bit probe);
  // GNU's a ?: b.
  void visit_short_conditional(const clang::BinaryConditionalOperator& choice, Bit probe);
  // any(), all() and select().
  void visit_choosing_call(const clang::CallExpr& call);

  // One operand of && || !. The operand is recorded unless it consists of such operators itself.
  void condition(const clang::Expr& operand, Bit probe);

  void visit_children_of(const clang::Stmt& statement, Bit probe);

  // Visits everything that is evaluated inside a statement. `whole`: the statement does nothing
  // else.
  void visit(const clang::Stmt& node, Bit probe, bool whole);

  void visit_conditional(const clang::ConditionalOperator& choice, Bit probe);

  void visit_call(const clang::CallExpr& call, Bit probe, bool whole);

  void visit_barrier(const clang::CallExpr& call, Bit probe, bool whole);

  // For the wrapper kernel: calls get the context, and nothing is recorded.
  void visit_children(const clang::Stmt& node);

  // ---- the table and the prelude ----

  void describe_kernels();

  // Ids of barriers exist only once the book is closed.
  void name_vote_barriers(model::SiteTable& table) const;

  std::string recorders() const; // the functions that decide_components() calls
  std::string prelude() const;

  const frontend::Tree& tree_;
  clang::ASTContext& context_;
  const model::LanguageRow& row_;
  SiteBook book_;
  BarrierPlan plan_;
  frontend::Edits edits_;
  const clang::FunctionDecl* current_ = nullptr;
  const clang::BlockExpr* block_ = nullptr; // in `current_`, around the current statement
  bool leaves_together_ = false;            // `current_` is a kernel with meet_at_end()
  bool in_initializer_ = false;             // of a constructor: there are no words of its own
  unsigned loops_ = 0, open_loops_ = 0, switches_ = 0;
  unsigned barrier_loops_ = 0; // loops with barriers around the current statement
  std::set<std::pair<std::string, std::string>> recorders_; // names with their types
  std::string ends_; // the code with which kernels begin and end
  std::map<clang::SourceLocation, std::vector<const clang::FunctionDecl*>> instantiations_;
  std::optional<OfInstances> of_instances_;               // made when first asked
  std::set<const clang::FunctionDecl*> functions_, kept_; // canonical declarations
  std::map<const clang::Expr*, unsigned> vote_of_;
  std::map<const clang::FunctionDecl*, std::vector<unsigned>> function_bits_;
  std::map<const clang::Stmt*, CountedAhead> counted_;
  std::set<const clang::FunctionDecl*> copied_; // kernels that have copies of loops
  std::vector<Loop> loop_stack_; // loops around the current statement, without open ones
  std::map<const clang::FunctionDecl*, std::vector<Loop>> function_open_loops_;
  std::set<const clang::FunctionDecl*> function_loops_;  // functions that have loops
  std::set<const clang::FunctionDecl*> function_blocks_; // functions that have blocks
  std::map<const clang::FunctionDecl*, bool> function_barriers_;
  std::map<const clang::CallExpr*, std::size_t> barrier_sites_; // in the book
  std::vector<Switch> switch_stack_;
  std::vector<const clang::GotoStmt*> gotos_; // of `current_`, for begin_loops_of_jumps()
  std::map<const clang::Stmt*, const clang::AttributedStmt*> attributed_; // by the statement inside
};

} // namespace gputest::passes
