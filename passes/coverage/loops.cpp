// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/walk.h"
#include "passes/coverage/instrumenter.h"
#include "passes/dataflow/jumps.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace gputest::passes {

using model::Criterion;

bool Instrumenter::begin_loop(const clang::Stmt& loop, const clang::Stmt& body,
                              const LoopSite& has) {
  const auto& [kind, has_zero, has_one, has_many, no, reached, trips] = has;
  const Bit zero = no ? no->next(2) : new_bits(3);
  std::vector<model::Outcome> outcomes;
  if (has_zero)
    outcomes.push_back({"zero", zero.index});
  if (has_one)
    outcomes.push_back({"one", zero.index + 1});
  if (has_many)
    outcomes.push_back({"many", zero.index + 2});
  if (no)
    outcomes.push_back({"boundary", no->index});
  const unsigned begin = tree_.begin(loop.getSourceRange());
  const bool is_do = llvm::isa<clang::DoStmt>(loop);
  const std::size_t site =
      book_.add(Criterion::Loop, kind, begin,
                is_do ? begin + 2 : tree_.begin(body.getSourceRange()), std::move(outcomes));
  if (!reached) {
    std::vector<std::string> never;
    for (const auto& [possible, name] :
         {std::pair{trips.zero, "zero"}, {trips.one, "one"}, {trips.many, "many"}})
      if (!possible)
        never.emplace_back(name);
    if (!never.empty())
      book_.leave_out(site, never, trips.reason());
  }
  if (reached && !row_.has_context) { // nothing keeps a counter from entry to entry
    book_.leave_out(site, {"zero", "one", "many", "boundary"}, "control jumps into the loop");
    walk_into_body(body, *reached);
    return false;
  }
  if (reached) {
    wrap_open_loop(loop, body, zero, *reached);
    return false;
  }
  if (no && row_.has_context && count_ahead(loop, *no))
    return true;
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
  return false;
}

bool Instrumenter::count_ahead(const clang::Stmt& loop, Bit no) {
  const auto* stepping = llvm::dyn_cast<clang::ForStmt>(&loop);
  if (!stepping || vote_of_.contains(stepping->getCond()))
    return false;
  const auto counted =
      counted_loop(tree_, *current_, *stepping, fmt::format("gputest_count_{}", loops_));
  if (!counted)
    return false;
  ++loops_;
  const auto mask = [&](unsigned iterations) {
    const unsigned truth = iterations == 0 ? 0 : 1u << no.next().shift();
    return 1u << no.shift() | truth | 1u << no.next(2 + iterations).shift();
  };
  const std::string text =
      fmt::format("{}GPUTEST_COUNTED({}, {:#x}u, {:#x}u, {:#x}u, {}, {})", counted->before,
                  no.word(), mask(0), mask(1), mask(2), counted->first, counted->second);
  edits_.after(counted->place, text);
  counted_[&loop] = {no, counted->place, text};
  return true;
}

bool Instrumenter::can_be_copied(const clang::ForStmt& loop) const {
  const unsigned begin = tree_.begin(loop.getSourceRange());
  if (barrier_loops_ != 1 || block_ || !frontend::is_kernel(*current_) ||
      !counted_.contains(&loop) || !reaches_meeting(loop) || in_front_of(loop) != begin)
    return false;
  const std::string_view text(tree_.source().text.data() + begin,
                              tree_.end_of_statement(loop) - begin);
  if (text.find("\n#") != std::string_view::npos)
    return false;
  return !frontend::any_of(loop, [&](const clang::Stmt& node) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(&node);
    const bool votes = std::ranges::any_of(
        plan_.votes, [&](const Decision& vote) { return vote.statement == &node; });
    return votes || llvm::isa<clang::BlockExpr>(node) ||
           (call && (!call->getDirectCallee() || is_ours(*call->getDirectCallee())));
  });
}

void Instrumenter::copy_for_known(const clang::ForStmt& loop, std::size_t before) {
  const unsigned begin = tree_.begin(loop.getSourceRange());
  const unsigned end = tree_.end_of_statement(loop);
  std::set<unsigned> still_set;                   // by the copy
  std::map<unsigned, const CountedAhead*> inside; // by place
  for (const auto& [statement, counted] : counted_)
    if (counted.place >= begin && counted.place < end) {
      inside[counted.place] = &counted;
      for (unsigned i = 0; i < kLoopBits; ++i)
        still_set.insert(counted.no.index + i);
    }
  const std::vector<unsigned>& bits = function_bits_[current_];
  std::map<unsigned, unsigned> masks;                       // by word
  const std::set<unsigned> outcomes = book_.outcome_bits(); // others are never set
  for (std::size_t i = before; i < bits.size(); ++i)
    if (outcomes.contains(bits[i]) && !still_set.contains(bits[i]))
      masks[bits[i] / 32] |= 1u << bits[i] % 32;
  if (masks.empty() || !can_be_copied(loop))
    return;
  std::string known;
  for (const auto& [word, mask] : masks)
    known += fmt::format("{}GPUTEST_KNOWN({}, {:#x}u)", known.empty() ? "" : " && ", word, mask);
  std::string copy = tree_.source().text.substr(begin, end - begin);
  for (auto one = inside.rbegin(); one != inside.rend(); ++one) // from the back: places stay
    copy.insert(one->first - begin, one->second->text);
  std::ranges::replace(copy, '\n', ' ');
  edits_.before(begin, fmt::format("if ({}) {{ {} }} else ", known, copy));
  copied_.insert(current_);
}

void Instrumenter::wrap_open_loop(const clang::Stmt& loop, const clang::Stmt& body, Bit zero,
                                  Bit reached) {
  const Loop open{open_loops_++, zero, {}, &loop};
  function_open_loops_[current_].push_back(open);
  wrap_loop(loop, body,
            fmt::format("GPUTEST_OPEN_LOOP({}, {}, {});", open.number, zero.word(), zero.mask()),
            {}, fmt::format("GPUTEST_OPEN_ITERATION({}); ", open.number) + hit(reached));
}

void Instrumenter::walk_into_body(const clang::Stmt& body, Bit reached) {
  if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(&body))
    edits_.before(tree_.offset(compound->getLBracLoc()) + 1, " " + hit(reached));
  else
    edits_.around(in_front_of(body), tree_.end_of_statement(body), "{ " + hit(reached) + " ", " }");
}

std::string Instrumenter::begin_inside(const clang::Stmt& place, const clang::Stmt& from) const {
  std::string text;
  const auto holds = [&](const Loop& loop, const clang::Stmt& inner) {
    const clang::SourceRange range = loop.statement->getSourceRange();
    const unsigned at = tree_.begin(inner.getSourceRange());
    return tree_.begin(range) <= at && at < tree_.end(range);
  };
  if (const auto loops = function_open_loops_.find(current_); loops != function_open_loops_.end())
    for (const Loop& loop : loops->second)
      if (holds(loop, place) && !holds(loop, from))
        text += fmt::format("GPUTEST_OPEN_LOOP({0}, {1}, {2}); GPUTEST_OPEN_ITERATION({0}); ",
                            loop.number, loop.zero.word(), loop.zero.mask());
  return text;
}

void Instrumenter::begin_loops_of_jumps() {
  for (const clang::GotoStmt* jump : std::exchange(gotos_, {}))
    if (const std::string text = begin_inside(*jump->getLabel()->getStmt(), *jump); !text.empty())
      edits_.around(tree_.begin(jump->getSourceRange()), tree_.end_of_statement(*jump), "{ " + text,
                    " }");
}

void Instrumenter::wrap_loop(const clang::Stmt& loop, const clang::Stmt& body,
                             const std::string& before, const std::string& after,
                             const std::string& iteration) {
  edits_.around(in_front_of(loop), tree_.end_of_statement(loop), "{ " + before + " ",
                (after.empty() ? "" : " ") + after + " }");
  if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(&body))
    edits_.before(tree_.offset(compound->getLBracLoc()) + 1, " " + iteration);
  else
    edits_.around(in_front_of(body), tree_.end_of_statement(body), "{ " + iteration + " ", " }");
}

std::string Instrumenter::close_loops(const clang::Stmt* target) const {
  std::string text;
  for (const Loop& loop : loop_stack_) {
    const clang::SourceRange range = loop.statement->getSourceRange();
    const unsigned at = target ? tree_.begin(target->getSourceRange()) : 0;
    if (!target || at < tree_.begin(range) || at >= tree_.end(range))
      text += loop.closed + " ";
  }
  return text;
}

std::optional<Bit> Instrumenter::beginning_of(const clang::Stmt& body) {
  if (holds_outer_case(body) || entered_by_goto(body, current_body()))
    return new_bits(1);
  return std::nullopt;
}

std::optional<bool> Instrumenter::constant_condition(const clang::Expr* condition) const {
  if (!condition)
    return true;
  bool value = false;
  if (!condition->isValueDependent() && condition->EvaluateAsBooleanCondition(value, context_) &&
      condition->isEvaluatable(context_))
    return value;
  return std::nullopt;
}

TripCount Instrumenter::trips_of(const clang::Stmt& loop) const {
  const auto* stepping = llvm::dyn_cast<clang::ForStmt>(&loop);
  return stepping && current_ && !current_->isDependentContext()
             ? trip_count(context_, *current_, *stepping)
             : TripCount{};
}

bool Instrumenter::never_runs(const clang::Stmt& loop, const clang::Expr* condition) const {
  const TripCount trips = trips_of(loop);
  return constant_condition(condition) == false || (!trips.one && !trips.many);
}

void Instrumenter::decide_loop(const clang::Expr& condition, Bit no, Bit probe, bool closed,
                               bool never) {
  if (!closed)
    return decide_with(condition, "loop", no, probe, false);
  decision_site(condition, Criterion::Branch, "loop", no,
                never ? std::optional(false) : std::nullopt);
  wrap_decision(condition, fmt::format("GPUTEST_UNTIL({}, {}, (", no.word(), no.mask()));
  operands(condition, probe);
}

Bit Instrumenter::walk_loop_head(const clang::Stmt& loop, const clang::Expr* condition,
                                 const clang::Stmt& body, const char* kind, Bit probe) {
  const std::optional<bool> constant = constant_condition(condition);
  std::optional<Bit> no;
  if (!constant)
    no = condition_bits();
  const std::optional<Bit> reached = beginning_of(body);
  const bool decided = begin_loop(loop, body,
                                  {.kind = kind,
                                   .has_zero = constant != true,
                                   .has_one = constant != false,
                                   .has_many = constant != false,
                                   .no = no,
                                   .reached = reached,
                                   .trips = trips_of(loop)});
  const bool never = !reached && never_runs(loop, condition);
  if (!no)
    return reached ? *reached : constant == true ? probe : new_bits(1); // while (0): never
  if (decided)
    decision_site(*condition, Criterion::Branch, "loop", *no,
                  never ? std::optional(false) : std::nullopt);
  else
    decide_loop(*condition, *no, probe, !reached, never);
  return no->next();
}

void Instrumenter::walk_body(const clang::Stmt& loop, const clang::Expr* condition,
                             const clang::Stmt& body, llvm::function_ref<void()> go) {
  const bool enters = holds_outer_case(body) || entered_by_goto(body, current_body());
  if (condition && !enters && never_runs(loop, condition))
    return on_side(true, false, *condition, go);
  go();
}

void Instrumenter::walk_for(const clang::ForStmt& loop, Bit probe) {
  header_site(loop, *loop.getBody(), probe);
  enter_loop(loop);
  if (loop.getConditionVariable())
    return walk_declaring_loop(loop, *loop.getBody(), "for", probe, loop.getInit(), loop.getInc());
  const Bit inside = walk_loop_head(loop, loop.getCond(), *loop.getBody(), "for", probe);
  const std::size_t bits = function_bits_[current_].size();
  if (loop.getInit())
    visit(*loop.getInit(), probe, false);
  walk_body(loop, loop.getCond(), *loop.getBody(), [&] {
    if (loop.getInc())
      visit(*loop.getInc(), inside, false);
    walk(*loop.getBody(), inside);
  });
  copy_for_known(loop, bits);
  leave_loop(loop);
}

void Instrumenter::walk_while(const clang::WhileStmt& loop, Bit probe) {
  header_site(loop, *loop.getBody(), probe);
  enter_loop(loop);
  if (loop.getConditionVariable())
    return walk_declaring_loop(loop, *loop.getBody(), "while", probe, nullptr, nullptr);
  const Bit inside = walk_loop_head(loop, loop.getCond(), *loop.getBody(), "while", probe);
  walk_body(loop, loop.getCond(), *loop.getBody(), [&] { walk(*loop.getBody(), inside); });
  leave_loop(loop);
}

void Instrumenter::walk_do(const clang::DoStmt& loop, Bit probe) {
  const unsigned begin = tree_.begin(loop.getSourceRange());
  statement_site(begin, begin + 2, probe);
  enter_loop(loop);
  const std::optional<bool> constant = constant_condition(loop.getCond());
  std::optional<Bit> no;
  if (constant != true)
    no = condition_bits();
  const std::optional<Bit> reached = beginning_of(*loop.getBody());
  begin_loop(loop, *loop.getBody(),
             {.kind = "do",
              .has_zero = false,
              .has_many = constant != false,
              .no = no,
              .reached = reached});
  if (!constant)
    decide_loop(*loop.getCond(), *no, probe, !reached, false);
  else if (no) // do … while (0): reaching the condition is reaching the boundary
    wrap_decision(*loop.getCond(), fmt::format("GPUTEST_UNTIL({}, {}, (", no->word(), no->mask()));
  walk(*loop.getBody(), reached.value_or(probe));
  leave_loop(loop);
}

void Instrumenter::enter_loop(const clang::Stmt& loop) {
  function_loops_.insert(current_);
  if (reaches_meeting(loop))
    ++barrier_loops_;
}

void Instrumenter::leave_loop(const clang::Stmt& loop) {
  if (reaches_meeting(loop))
    --barrier_loops_;
  if (!loop_stack_.empty() && loop_stack_.back().statement == &loop)
    loop_stack_.pop_back();
}

} // namespace gputest::passes
