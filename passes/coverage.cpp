#include "passes/coverage.h"

#include "embedded/coverage_cl.h"
#include "embedded/state_h.h"
#include "passes/barriers.h"
#include "passes/coverage_sites.h"
#include "passes/edits.h"
#include "passes/jumps.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/TypeLoc.h>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace gputest::passes {
namespace {

using model::Criterion;

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

  CoverageVariant run() {
    for (const clang::FunctionDecl* function : tree_.functions())
      functions_.insert(function->getCanonicalDecl());
    for (std::size_t i = 0; i < plan_.votes.size(); ++i)
      vote_of_[plan_.votes[i].condition] = static_cast<unsigned>(i);
    for (const clang::Decl* declaration : context_.getTranslationUnitDecl()->decls())
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
        instrument_function(*function);
    for (const clang::Expr* operand : plan_.unchecked)
      book_.not_instrumented(operand->getSourceRange(), "barrier in an operand",
                             "whether all work-items evaluate the operand is not checked");
    CoverageVariant variant;
    describe_kernels();
    add_votes();
    variant.text = prelude() + edits_.apply(tree_.source().text);
    variant.sites = book_.finish();
    name_vote_barriers(variant.sites);
    return variant;
  }

private:
  // ---- functions ----

  bool is_ours(const clang::FunctionDecl& function) const {
    return functions_.contains(function.getCanonicalDecl());
  }
  // The wrapper kernel of a device function under test is the toolkit's own: it passes the state
  // on and records nothing.
  static bool is_wrapper(const clang::FunctionDecl& function) {
    return function.getIdentifier() && function.getName().starts_with("gputest_");
  }

  void instrument_function(const clang::FunctionDecl& function) {
    const bool wrapper = is_wrapper(function) && is_kernel(function);
    if (!is_ours(function) && !wrapper)
      return;
    add_parameter(function, is_kernel(function) ? "__global uint* gputest_state"
                                                : "gputest_context* gputest");
    if (!function.doesThisDeclarationHaveABody())
      return;
    current_ = &function;
    book_.enter(function);
    const auto* body = llvm::cast<clang::CompoundStmt>(function.getBody());
    const unsigned inside = tree_.offset(body->getLBracLoc()) + 1;
    if (is_kernel(function)) {
      edits_.before(inside, " GPUTEST_ENTER(gputest_state)");
      edits_.before(tree_.offset(body->getRBracLoc()), leave() + " ");
    }
    if (wrapper) {
      visit_children(*body);
      return;
    }
    const Bit entry = book_.bits(1);
    function_bits_[&function].push_back(entry.index);
    edits_.before(inside, " " + hit(entry));
    walk(*body, entry);
  }

  void add_parameter(const clang::FunctionDecl& function, const std::string& parameter) {
    const clang::FunctionTypeLoc location = function.getFunctionTypeLoc();
    const unsigned open = tree_.offset(location.getLParenLoc());
    const unsigned close = tree_.offset(location.getRParenLoc());
    if (function.getNumParams() > 0) {
      edits_.before(close, ", " + parameter);
      return;
    }
    const std::size_t next = tree_.source().token_at_or_after(open + 1);
    const FlatToken& token = tree_.source().tokens[next];
    if (token.begin < close) // (void)
      edits_.replace(token.begin, token.end, parameter);
    else
      edits_.before(close, parameter);
  }

  std::string leave() const { return fmt::format("GPUTEST_LEAVE_{};", current_->getName().str()); }

  static std::string hit(Bit bit) {
    return fmt::format("GPUTEST_HIT({}, {});", bit.word(), bit.mask());
  }

  Bit new_bits(unsigned count) {
    const Bit bit = book_.bits(count);
    for (unsigned i = 0; i < count; ++i)
      function_bits_[current_].push_back(bit.index + i);
    return bit;
  }

  // ---- statements; `probe` is the bit that says that control reached this place ----

  void walk(const clang::Stmt& statement, Bit probe) {
    if (const auto* node = llvm::dyn_cast<clang::CompoundStmt>(&statement))
      return walk_sequence(*node, probe, false);
    if (const auto* node = llvm::dyn_cast<clang::IfStmt>(&statement))
      return walk_if(*node, probe);
    if (const auto* node = llvm::dyn_cast<clang::ForStmt>(&statement))
      return walk_for(*node, probe);
    if (const auto* node = llvm::dyn_cast<clang::WhileStmt>(&statement))
      return walk_while(*node, probe);
    if (const auto* node = llvm::dyn_cast<clang::DoStmt>(&statement))
      return walk_do(*node, probe);
    if (const auto* node = llvm::dyn_cast<clang::SwitchStmt>(&statement))
      return walk_switch(*node, probe);
    if (llvm::isa<clang::LabelStmt, clang::SwitchCase>(statement)) {
      // The only statement of a body: what is inserted behind the label must belong to it too.
      edits_.around(tree_.begin(statement.getSourceRange()),
                    tree_.end_of_statement(without_labels(statement)), "{ ", " }");
      walk_labelled(statement);
      return;
    }
    if (const auto* node = llvm::dyn_cast<clang::AttributedStmt>(&statement)) {
      attributed_[node->getSubStmt()] = node;
      return walk(*node->getSubStmt(), probe);
    }
    if (llvm::isa<clang::NullStmt>(statement))
      return;
    if (const auto* node = llvm::dyn_cast<clang::DeclStmt>(&statement))
      return walk_declaration(*node, probe);
    statement_site(tree_.begin(statement.getSourceRange()), tree_.end(statement.getSourceRange()),
                   probe);
    if (const auto* node = llvm::dyn_cast<clang::ReturnStmt>(&statement))
      return walk_return(*node, probe);
    if (const auto* node = llvm::dyn_cast<clang::GotoStmt>(&statement))
      return walk_goto(*node);
    visit(statement, probe, true);
  }

  void walk_sequence(const clang::CompoundStmt& compound, Bit probe, bool starts_unknown) {
    bool unknown = starts_unknown;
    for (const clang::Stmt* child : compound.body()) {
      if (llvm::isa<clang::LabelStmt, clang::SwitchCase>(child)) {
        // Whoever comes to what follows the label came through it.
        probe = walk_labelled(*child);
        unknown = has_jumps(without_labels(*child));
        continue;
      }
      if (unknown && !llvm::isa<clang::NullStmt>(child)) {
        probe = new_bits(1);
        edits_.before(in_front_of(*child), hit(probe) + " ");
        unknown = false;
      }
      walk(*child, probe);
      // What follows a jump is reached otherwise than what precedes it.
      unknown |= has_jumps(*child);
    }
  }

  // A statement behind one or more labels. Returns the bit that says that control came by.
  Bit walk_labelled(const clang::Stmt& statement) {
    Bit probe;
    const clang::Stmt* inner = nullptr;
    if (const auto* label = llvm::dyn_cast<clang::LabelStmt>(&statement)) {
      probe = new_bits(1);
      insert_after_colon(tree_.offset(label->getIdentLoc()), hit(probe));
      inner = label->getSubStmt();
    } else {
      const auto& one = llvm::cast<clang::SwitchCase>(statement);
      probe = case_label(one);
      inner = one.getSubStmt();
    }
    if (llvm::isa<clang::LabelStmt, clang::SwitchCase>(inner))
      return walk_labelled(*inner);
    walk(*inner, probe);
    return probe;
  }

  void statement_site(unsigned begin, unsigned end, Bit probe) {
    book_.add(Criterion::Statement, "", begin, end, {{"executed", probe.index}});
  }

  // From the statement's keyword up to its body.
  void header_site(const clang::Stmt& statement, const clang::Stmt& body, Bit probe) {
    statement_site(tree_.begin(statement.getSourceRange()), tree_.begin(body.getSourceRange()),
                   probe);
  }

  void walk_if(const clang::IfStmt& choice, Bit probe) {
    header_site(choice, *choice.getThen(), probe);
    const Bit no = new_bits(2);
    decide_with(*choice.getCond(), "if", no, probe, only_computes(choice) || has_barrier(choice));
    walk(*choice.getThen(), no.next());
    if (choice.getElse())
      walk(*choice.getElse(), no);
  }

  void walk_declaration(const clang::DeclStmt& declaration, Bit probe) {
    bool executes = false;
    for (const clang::Decl* declared : declaration.decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
      if (!variable || !variable->hasInit() || is_compile_time(*variable))
        continue;
      executes = true;
    }
    if (executes)
      statement_site(tree_.begin(declaration.getSourceRange()),
                     tree_.end(declaration.getSourceRange()), probe);
    visit(declaration, probe, false);
  }

  static bool is_compile_time(const clang::VarDecl& variable) {
    const clang::QualType type = variable.getType();
    return variable.isStaticLocal() || type->isSamplerT() ||
           type.getAddressSpace() == clang::LangAS::opencl_constant;
  }

  void walk_return(const clang::ReturnStmt& statement, Bit probe) {
    const unsigned begin = tree_.begin(statement.getSourceRange());
    const unsigned end = tree_.end_of_statement(statement);
    const std::string loops = close_loops(nullptr);
    if (!is_kernel(*current_)) {
      if (!loops.empty())
        edits_.around(begin, end, "{ " + loops, " }");
    } else if (statement.getRetValue()) { // return f(); in a void function
      edits_.replace(begin, begin + 6, "{");
      edits_.after(end, " " + loops + leave() + " return; }");
    } else {
      edits_.around(begin, end, "{ " + loops + leave() + " ", " }");
    }
    if (statement.getRetValue())
      visit(*statement.getRetValue(), probe, false);
  }

  void walk_goto(const clang::GotoStmt& statement) {
    const std::string loops = close_loops(statement.getLabel()->getStmt());
    if (!loops.empty())
      edits_.around(tree_.begin(statement.getSourceRange()), tree_.end_of_statement(statement),
                    "{ " + loops, " }");
  }

  // After the colon of the label that begins at `offset`; a case's expression may hold `?:`.
  void insert_after_colon(unsigned offset, const std::string& text) {
    edits_.before(colon_after(offset) + 1, " " + text);
  }

  unsigned colon_after(unsigned offset) const {
    const FlatSource& source = tree_.source();
    int questions = 0;
    for (std::size_t i = source.token_at_or_after(offset); i < source.tokens.size(); ++i) {
      const FlatToken& token = source.tokens[i];
      const std::string_view text(source.text.data() + token.begin, token.end - token.begin);
      if (text == "?")
        ++questions;
      else if (text == ":" && questions-- == 0)
        return token.begin;
    }
    return offset;
  }

  // Where text goes that must precede a statement, its attributes and pragmas included.
  unsigned in_front_of(const clang::Stmt& statement) const {
    const auto attributed = attributed_.find(&statement);
    const clang::Stmt& whole = attributed == attributed_.end() ? statement : *attributed->second;
    return tree_.source().before_pragmas(tree_.begin(whole.getSourceRange()));
  }

  // ---- loops ----

  // A loop counts its iterations in a variable of its own, and is classified where control leaves
  // it. That its condition was true follows from the iterations. `no`: the bits of its condition.
  void begin_loop(const clang::Stmt& loop, const clang::Stmt& body, const char* kind,
                  bool can_be_zero, bool can_run, bool can_be_many, std::optional<Bit> no,
                  std::optional<Bit> reached) {
    const Bit zero = no ? no->next(2) : new_bits(3);
    std::vector<model::Outcome> outcomes;
    if (can_be_zero)
      outcomes.push_back({"zero", zero.index});
    if (can_run)
      outcomes.push_back({"one", zero.index + 1});
    if (can_be_many)
      outcomes.push_back({"many", zero.index + 2});
    if (no)
      outcomes.push_back({"boundary", no->index});
    const unsigned begin = tree_.begin(loop.getSourceRange());
    const bool is_do = llvm::isa<clang::DoStmt>(loop);
    book_.add(Criterion::Loop, kind, begin, is_do ? begin + 2 : tree_.begin(body.getSourceRange()),
              std::move(outcomes));
    if (reached)
      return wrap_open_loop(loop, body, zero, *reached);
    const auto mask = [&](unsigned iterations) {
      const unsigned outcome = 1u << zero.next(iterations).shift();
      const bool was_true = no && iterations > (is_do ? 1 : 0);
      return fmt::format("{:#x}u", outcome | (was_true ? 1u << no->next().shift() : 0));
    };
    const unsigned number = loops_++;
    loop_stack_.push_back({number, zero,
                           fmt::format("GPUTEST_LOOP_END({}, {}, {}, {}, {});", number, zero.word(),
                                       mask(0), mask(1), mask(2)),
                           &loop});
    wrap_loop(loop, body, fmt::format("GPUTEST_LOOP({});", number), loop_stack_.back().closed,
              fmt::format("GPUTEST_ITERATION({});", number));
  }

  // A loop into whose body control jumps keeps its counter in the context, and is classified when
  // control comes to it again or leaves the kernel. `reached`: the bit of the body's beginning.
  void wrap_open_loop(const clang::Stmt& loop, const clang::Stmt& body, Bit zero, Bit reached) {
    const Loop open{open_loops_++, zero, {}, &loop};
    function_open_loops_[current_].push_back(open);
    book_.not_instrumented(body.getSourceRange(), "jump into a loop",
                           "iterations of executions that begin inside the body are not counted");
    wrap_loop(loop, body,
              fmt::format("GPUTEST_OPEN_LOOP({}, {}, {});", open.number, zero.word(), zero.mask()),
              {}, fmt::format("GPUTEST_OPEN_ITERATION({}); ", open.number) + hit(reached));
  }

  void wrap_loop(const clang::Stmt& loop, const clang::Stmt& body, const std::string& before,
                 const std::string& after, const std::string& iteration) {
    edits_.around(in_front_of(loop), tree_.end_of_statement(loop), "{ " + before + " ",
                  (after.empty() ? "" : " ") + after + " }");
    if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(&body))
      edits_.before(tree_.offset(compound->getLBracLoc()) + 1, " " + iteration);
    else
      edits_.around(in_front_of(body), tree_.end_of_statement(body), "{ " + iteration + " ", " }");
  }

  // What a jump to `target` must do first: classify the loops that it leaves. nullptr: out of the
  // function.
  std::string close_loops(const clang::Stmt* target) const {
    std::string text;
    for (const Loop& loop : loop_stack_) {
      const clang::SourceRange range = loop.statement->getSourceRange();
      const unsigned at = target ? tree_.begin(target->getSourceRange()) : 0;
      if (!target || at < tree_.begin(range) || at >= tree_.end(range))
        text += loop.closed + " ";
    }
    return text;
  }

  // Where control jumps into a loop's body, its beginning is reached by repetition alone.
  std::optional<Bit> beginning_of(const clang::Stmt& body) {
    if (holds_outer_case(body) || entered_by_goto(body, *current_->getBody()))
      return new_bits(1);
    return std::nullopt;
  }

  // A loop whose condition cannot change has no decision.
  std::optional<bool> constant_condition(const clang::Expr* condition) const {
    if (!condition)
      return true;
    bool value = false;
    if (!condition->isValueDependent() && condition->EvaluateAsBooleanCondition(value, context_) &&
        condition->isEvaluatable(context_))
      return value;
    return std::nullopt;
  }

  // The bits of a loop's condition (false, true), followed by those of its cases: in one word, so
  // that they can be set together.
  Bit condition_bits() { return new_bits(5); }

  // `closed`: whether control comes into the body through its beginning only.
  void decide_loop(const clang::Expr& condition, Bit no, Bit probe, bool closed) {
    if (!closed)
      return decide_with(condition, "loop", no, probe, false);
    decision_site(condition, "loop", no);
    wrap_decision(condition, fmt::format("GPUTEST_UNTIL({}, {}, (", no.word(), no.mask()));
    operands(condition, probe);
  }

  // for and while. Returns the bit that says that the body was reached.
  Bit walk_loop_head(const clang::Stmt& loop, const clang::Expr* condition, const clang::Stmt& body,
                     const char* kind, Bit probe) {
    const std::optional<bool> constant = constant_condition(condition);
    std::optional<Bit> no;
    if (!constant)
      no = condition_bits();
    const std::optional<Bit> reached = beginning_of(body);
    begin_loop(loop, body, kind, constant != true, constant != false, constant != false, no,
               reached);
    if (!no)
      return reached ? *reached : constant == true ? probe : new_bits(1); // while (0): never
    decide_loop(*condition, *no, probe, !reached);
    return no->next();
  }

  void walk_for(const clang::ForStmt& loop, Bit probe) {
    header_site(loop, *loop.getBody(), probe);
    enter_loop(loop);
    const Bit inside = walk_loop_head(loop, loop.getCond(), *loop.getBody(), "for", probe);
    if (loop.getInit())
      visit(*loop.getInit(), probe, false);
    if (loop.getInc())
      visit(*loop.getInc(), inside, false);
    walk(*loop.getBody(), inside);
    leave_loop(loop);
  }

  void walk_while(const clang::WhileStmt& loop, Bit probe) {
    header_site(loop, *loop.getBody(), probe);
    enter_loop(loop);
    walk(*loop.getBody(), walk_loop_head(loop, loop.getCond(), *loop.getBody(), "while", probe));
    leave_loop(loop);
  }

  void walk_do(const clang::DoStmt& loop, Bit probe) {
    const unsigned begin = tree_.begin(loop.getSourceRange());
    statement_site(begin, begin + 2, probe);
    enter_loop(loop);
    const std::optional<bool> constant = constant_condition(loop.getCond());
    std::optional<Bit> no;
    if (constant != true)
      no = condition_bits();
    const std::optional<Bit> reached = beginning_of(*loop.getBody());
    begin_loop(loop, *loop.getBody(), "do", false, true, constant != false, no, reached);
    if (!constant)
      decide_loop(*loop.getCond(), *no, probe, !reached);
    else if (no) // do … while (0): reaching the condition is reaching the boundary
      wrap_decision(*loop.getCond(),
                    fmt::format("GPUTEST_UNTIL({}, {}, (", no->word(), no->mask()));
    walk(*loop.getBody(), reached.value_or(probe));
    leave_loop(loop);
  }

  void enter_loop(const clang::Stmt& loop) {
    function_loops_.insert(current_);
    if (has_barrier(loop))
      ++barrier_loops_;
  }

  void leave_loop(const clang::Stmt& loop) {
    if (has_barrier(loop))
      --barrier_loops_;
    if (!loop_stack_.empty() && loop_stack_.back().statement == &loop)
      loop_stack_.pop_back();
  }

  bool has_barrier(const clang::Stmt& statement) const {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement); call && is_barrier(*call))
      return true;
    return std::ranges::any_of(statement.children(), [&](const clang::Stmt* child) {
      return child && has_barrier(*child);
    });
  }

  // ---- switch ----

  struct Switch {
    unsigned number = 0;
    std::set<const clang::SwitchCase*> fallthrough; // labels that control can fall into
  };

  void walk_switch(const clang::SwitchStmt& statement, Bit probe) {
    header_site(statement, *statement.getBody(), probe);
    Switch info;
    info.fallthrough = fallthrough_labels(*statement.getBody());
    std::string left, right;
    if (!info.fallthrough.empty()) {
      info.number = switches_++;
      left = fmt::format("GPUTEST_SWITCH({}, ", info.number);
      right = ")";
    }
    if (const auto vote = vote_of_.find(statement.getCond()); vote != vote_of_.end()) {
      left += fmt::format("GPUTEST_VOTE_VALUE({}, (", vote->second);
      right = "))" + right;
    }
    edits_.around(tree_.begin(statement.getCond()->getSourceRange()),
                  tree_.end(statement.getCond()->getSourceRange()), left, right);
    visit(*statement.getCond(), probe, false);
    switch_stack_.push_back(std::move(info));
    if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(statement.getBody()))
      walk_sequence(*compound, probe, true);
    else
      walk(*statement.getBody(), probe);
    switch_stack_.pop_back();
  }

  // Returns the bit that says that control came by, selected or fallen.
  Bit case_label(const clang::SwitchCase& label) {
    const Switch& info = switch_stack_.back();
    const Bit taken = new_bits(1);
    const unsigned begin = tree_.offset(label.getKeywordLoc());
    book_.add(Criterion::Branch, "switch", begin, tree_.offset(label.getColonLoc()),
              {{"taken", taken.index}});
    const unsigned colon = tree_.offset(label.getColonLoc()) + 1;
    Bit inside = taken;
    if (info.fallthrough.empty()) {
      edits_.before(colon, " " + hit(taken));
    } else {
      // The flag must be lowered at every label, or a later fall would be taken for a selection.
      std::string text =
          fmt::format(" GPUTEST_LABEL({}, {}, {});", info.number, taken.word(), taken.mask());
      if (info.fallthrough.contains(&label)) {
        inside = new_bits(1);
        text += " " + hit(inside);
      }
      edits_.before(colon, text);
    }
    return inside;
  }

  // ---- expressions ----

  // A decision with both outcomes recorded; `no` is the bit of `false`, that of `true` follows.
  // `selects`: see recording().
  void decide_with(const clang::Expr& condition, const char* kind, Bit no, Bit probe,
                   bool selects) {
    decision_site(condition, kind, no);
    wrap_decision(condition, recording(no, selects || vote_of_.contains(&condition)));
    operands(condition, probe);
  }

  void decision_site(const clang::Expr& condition, const char* kind, Bit no) {
    book_.add(Criterion::Branch, kind, tree_.begin(condition.getSourceRange()),
              tree_.end(condition.getSourceRange()), {{"true", no.index + 1}, {"false", no.index}});
  }

  // Compilers turn some decisions into selections and leave the others branches. Recording must go
  // along: code in the way of a branch costs more than code on each side of it, and code on the
  // sides makes a branch of what was a selection, so that the loop over work-items is not
  // vectorised any more. Between the barriers of a loop there is such a loop each time round. What
  // leads to a barrier must not be branched on more than once.
  std::string recording(Bit no, bool selects) const {
    return fmt::format("{}({}, {}, (",
                       selects || barrier_loops_ > 0 ? "GPUTEST_DECIDE" : "GPUTEST_BRANCH",
                       no.word(), no.mask());
  }

  void wrap_decision(const clang::Expr& condition, std::string left) {
    std::string right = "))";
    if (const auto vote = vote_of_.find(&condition); vote != vote_of_.end()) {
      left += fmt::format("GPUTEST_VOTE({}, {}, (", vote->second,
                          plan_.votes[vote->second].instead ? 1 : 0);
      right += "))";
    }
    edits_.around(tree_.begin(condition.getSourceRange()), tree_.end(condition.getSourceRange()),
                  left, right);
  }

  // Whether an `if` does nothing but compute values of local variables: no memory is accessed, no
  // function called, nothing else decided.
  static bool only_computes(const clang::IfStmt& choice) {
    return computes(*choice.getThen()) && (!choice.getElse() || computes(*choice.getElse()));
  }
  static bool computes(const clang::Stmt& node) {
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&node);
        cast && cast->getCastKind() == clang::CK_ArrayToPointerDecay)
      return false;
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&node);
        unary && unary->getOpcode() == clang::UO_Deref)
      return false;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&node); member && member->isArrow())
      return false;
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&node);
        binary && binary->isLogicalOp())
      return false;
    if (!llvm::isa<clang::CompoundStmt, clang::BinaryOperator, clang::UnaryOperator,
                   clang::ParenExpr, clang::CastExpr, clang::DeclRefExpr, clang::MemberExpr,
                   clang::IntegerLiteral, clang::FloatingLiteral, clang::CharacterLiteral>(node))
      return false;
    return std::ranges::all_of(node.children(),
                               [](const clang::Stmt* child) { return child && computes(*child); });
  }

  // The operands of logical operators inside a condition, or what else it is made of.
  void operands(const clang::Expr& expression, Bit probe) {
    const clang::Expr* node = expression.IgnoreParenImpCasts();
    if (is_logical(*node))
      visit_logical(*node, probe);
    else
      visit(*node, probe, false);
  }

  static bool is_logical(const clang::Expr& expression) {
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expression))
      return binary->isLogicalOp();
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expression))
      return unary->getOpcode() == clang::UO_LNot;
    return false;
  }

  void visit_logical(const clang::Expr& expression, Bit probe) {
    if (expression.getType()->isVectorType()) {
      book_.not_instrumented(expression.getSourceRange(), "vector condition",
                             "each component has an outcome of its own");
      visit_children_of(expression, probe);
      return;
    }
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expression))
      return condition(*unary->getSubExpr(), probe);
    const auto& binary = llvm::cast<clang::BinaryOperator>(expression);
    condition(*binary.getLHS(), probe);
    condition(*binary.getRHS(), probe);
  }

  // One operand of && || !: recorded unless it is itself made of such operators.
  void condition(const clang::Expr& operand, Bit probe) {
    const clang::Expr* inner = operand.IgnoreParenImpCasts();
    if (is_logical(*inner) && !inner->getType()->isVectorType())
      return visit_logical(*inner, probe);
    const Bit no = new_bits(2);
    const unsigned begin = tree_.begin(operand.getSourceRange());
    const unsigned end = tree_.end(operand.getSourceRange());
    book_.add(Criterion::Condition, "", begin, end, {{"true", no.index + 1}, {"false", no.index}});
    edits_.around(begin, end, recording(no, false), "))");
    visit(*inner, probe, false);
  }

  void visit_children_of(const clang::Stmt& statement, Bit probe) {
    for (const clang::Stmt* child : statement.children())
      if (child)
        visit(*child, probe, false);
  }

  // Everything evaluated inside a statement. `whole`: this is all that the statement does.
  void visit(const clang::Stmt& node, Bit probe, bool whole) {
    if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::TypeTraitExpr, clang::ConstantExpr>(node))
      return; // not evaluated, or at compile time
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(&node)) {
      for (const clang::Decl* declared : declaration->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
            variable && variable->hasInit() && !is_compile_time(*variable))
          visit(*variable->getInit(), probe, false);
      return;
    }
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(&node)) {
      const clang::InitListExpr* written =
          list->isSyntacticForm() ? list : list->getSyntacticForm();
      return visit_children_of(written ? *written : *list, probe);
    }
    if (const auto* block = llvm::dyn_cast<clang::BlockExpr>(&node)) {
      book_.not_instrumented(block->getSourceRange(), "block",
                             "code enqueued from the device is not followed");
      return;
    }
    if (const auto* inlined = llvm::dyn_cast<clang::StmtExpr>(&node))
      return walk(*inlined->getSubStmt(), probe);
    if (const auto* expression = llvm::dyn_cast<clang::Expr>(&node)) {
      if (is_logical(*expression))
        return visit_logical(*expression, probe);
      if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expression))
        return visit_conditional(*choice, probe);
      if (llvm::isa<clang::BinaryConditionalOperator>(expression))
        return book_.not_instrumented(expression->getSourceRange(), "?: without a middle",
                                      "its condition is a value too");
      if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression))
        visit_call(*call, probe, whole);
    }
    if (llvm::isa<clang::AsmStmt>(node)) {
      book_.not_instrumented(node.getSourceRange(), "inline assembly", "its branches are unknown");
      return;
    }
    visit_children_of(node, probe);
  }

  void visit_conditional(const clang::ConditionalOperator& choice, Bit probe) {
    if (choice.getCond()->getType()->isVectorType()) {
      book_.not_instrumented(choice.getSourceRange(), "vector condition",
                             "each component has an outcome of its own");
      return visit_children_of(choice, probe);
    }
    const Bit no = new_bits(2);
    decide_with(*choice.getCond(), "conditional", no, probe, has_barrier(choice));
    visit(*choice.getTrueExpr(), no.next(), false);
    visit(*choice.getFalseExpr(), no, false);
  }

  void visit_call(const clang::CallExpr& call, Bit probe, bool whole) {
    if (is_barrier(call))
      return visit_barrier(call, probe, whole);
    const clang::FunctionDecl* callee = call.getDirectCallee();
    if (!callee || !is_ours(*callee))
      return;
    callees_[current_].insert(callee->getCanonicalDecl());
    const std::string argument =
        is_kernel(*callee->getCanonicalDecl()) || is_kernel(*callee) ? "gputest->state" : "gputest";
    edits_.before(tree_.offset(call.getRParenLoc()),
                  (call.getNumArgs() > 0 ? ", " : "") + argument);
  }

  void visit_barrier(const clang::CallExpr& call, Bit probe, bool whole) {
    const unsigned begin = tree_.begin(call.getSourceRange());
    const unsigned end = tree_.end(call.getSourceRange());
    Bit executed = probe;
    if (!whole) { // an operand: control may reach the statement and not the barrier
      executed = new_bits(1);
      edits_.around(begin, end,
                    fmt::format("(GPUTEST_HIT({}, {}), ", executed.word(), executed.mask()), ")");
    }
    book_.add(Criterion::Barrier, "", begin, end, {{"executed", executed.index}});
    barrier_begin_[&call] = begin;
    function_barriers_[current_] = true;
  }

  // For the wrapper kernel: calls get the context, nothing is recorded.
  void visit_children(const clang::Stmt& node) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node))
      visit_call(*call, Bit{}, true);
    for (const clang::Stmt* child : node.children())
      if (child)
        visit_children(*child);
  }

  // ---- the table and the prelude ----

  std::vector<const clang::FunctionDecl*> reachable_from(const clang::FunctionDecl& kernel) const {
    std::set<const clang::FunctionDecl*> reached{kernel.getCanonicalDecl()};
    std::vector<const clang::FunctionDecl*> work{kernel.getCanonicalDecl()};
    while (!work.empty()) {
      const clang::FunctionDecl* function = work.back();
      work.pop_back();
      const clang::FunctionDecl* definition = function->getDefinition();
      const auto calls = callees_.find(definition);
      if (calls != callees_.end())
        for (const clang::FunctionDecl* callee : calls->second)
          if (reached.insert(callee).second)
            work.push_back(callee);
    }
    std::vector<const clang::FunctionDecl*> result;
    if (is_wrapper(kernel))
      result.push_back(&kernel);
    for (const clang::FunctionDecl* function : tree_.functions())
      if (reached.contains(function->getCanonicalDecl()))
        result.push_back(function);
    return result;
  }

  void describe_kernels() {
    for (const clang::FunctionDecl* kernel : tree_.kernels()) {
      model::InstrumentedKernel entry;
      entry.name = kernel->getNameAsString();
      entry.straight_line = plan_.votes.empty();
      std::set<unsigned> words;
      std::string leave;
      for (const clang::FunctionDecl* function : reachable_from(*kernel)) {
        if (!is_wrapper(*function))
          entry.functions.push_back(function->getNameAsString());
        // A called kernel classifies its own loops and publishes its own words.
        const bool publishes_itself = function != kernel && is_kernel(*function);
        if (function_loops_.contains(function))
          entry.straight_line = false;
        if (!publishes_itself)
          for (const Loop& loop : function_open_loops_[function])
            leave += fmt::format(" GPUTEST_OPEN_LOOP_END({}, {}, {});", loop.number,
                                 loop.zero.word(), loop.zero.mask());
        if (function_barriers_.contains(function) || publishes_itself)
          entry.straight_line = false;
        if (!publishes_itself)
          for (const unsigned bit : function_bits_[function])
            words.insert(bit / 32);
      }
      for (const unsigned word : words)
        leave += fmt::format(" gputest_flush(gputest, {});", word);
      leaves_ += fmt::format("#define GPUTEST_LEAVE_{}{}\n", entry.name, leave);
      book_.table().kernels.push_back(std::move(entry));
    }
  }

  void add_votes() {
    book_.table().divergence_words = static_cast<unsigned>(plan_.votes.size());
    for (std::size_t i = 0; i < plan_.votes.size(); ++i) {
      const Decision& decision = plan_.votes[i];
      const Excerpt excerpt = tree_.excerpt(decision.condition->getSourceRange());
      book_.table().votes.push_back({.word = static_cast<unsigned>(i),
                                     .function = {},
                                     .file = excerpt.file,
                                     .line = excerpt.line,
                                     .column = excerpt.column,
                                     .text = excerpt.text,
                                     .barriers = {}});
    }
  }

  // Barrier ids exist only once the book is closed: find them again by place.
  void name_vote_barriers(model::SiteTable& table) const {
    std::vector<const model::Site*> barriers;
    for (const model::Site& site : table.sites)
      if (site.criterion == Criterion::Barrier)
        barriers.push_back(&site);
    std::vector<unsigned> begins;
    for (const auto& [call, begin] : barrier_begin_)
      begins.push_back(begin);
    std::ranges::sort(begins);
    for (std::size_t i = 0; i < plan_.votes.size(); ++i) {
      for (const clang::CallExpr* call : plan_.votes[i].barriers) {
        const auto begin = barrier_begin_.find(call);
        if (begin == barrier_begin_.end())
          continue;
        const auto at = static_cast<std::size_t>(std::ranges::lower_bound(begins, begin->second) -
                                                 begins.begin());
        table.votes[i].barriers.push_back(barriers[at]->id);
      }
      for (const clang::FunctionDecl* function : tree_.functions())
        if (const unsigned at = tree_.begin(plan_.votes[i].condition->getSourceRange());
            tree_.begin(function->getSourceRange()) <= at &&
            at < tree_.end(function->getSourceRange()))
          table.votes[i].function = function->getNameAsString();
    }
  }

  std::string prelude() const {
    return fmt::format("/* Instrumented for coverage by GpuTestCheck from {}. */\n"
                       "#define GPUTEST_WORDS {}\n#define GPUTEST_OPEN_LOOPS {}\n"
                       "#define GPUTEST_SWITCHES {}\n#define GPUTEST_VOTES {}\n{}{}{}",
                       tree_.source().files.empty() ? "" : tree_.source().files.front(),
                       book_.words(), std::max(1u, open_loops_), std::max(1u, switches_),
                       plan_.votes.size(), embedded::state_h, embedded::coverage_cl, leaves_);
  }

  const Tree& tree_;
  clang::ASTContext& context_;
  SiteBook book_;
  BarrierPlan plan_;
  Edits edits_;
  const clang::FunctionDecl* current_ = nullptr;
  unsigned loops_ = 0, open_loops_ = 0, switches_ = 0;
  unsigned barrier_loops_ = 0; // around what is walked now
  std::string leaves_;
  std::set<const clang::FunctionDecl*> functions_; // canonical declarations
  std::map<const clang::Expr*, unsigned> vote_of_;
  std::map<const clang::FunctionDecl*, std::vector<unsigned>> function_bits_;
  std::vector<Loop> loop_stack_; // around what is walked now, open ones left out
  std::map<const clang::FunctionDecl*, std::vector<Loop>> function_open_loops_;
  std::set<const clang::FunctionDecl*> function_loops_; // functions that have loops
  std::map<const clang::FunctionDecl*, bool> function_barriers_;
  std::map<const clang::FunctionDecl*, std::set<const clang::FunctionDecl*>> callees_;
  std::map<const clang::CallExpr*, unsigned> barrier_begin_;
  std::vector<Switch> switch_stack_;
  std::map<const clang::Stmt*, const clang::AttributedStmt*> attributed_; // by the statement inside
};

} // namespace

CoverageVariant instrument_coverage(const Tree& tree, const std::string& source_name) {
  return Instrumenter(tree, source_name).run();
}

} // namespace gputest::passes
