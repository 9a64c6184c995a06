// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/coverage/coverage.h"

#include "embedded/coverage_cl.h"
#include "embedded/state_h.h"
#include "embedded/storage_cl.h"
#include "embedded/votes_cl.h"
#include "frontend/walk.h"
#include "passes/blocks.h"
#include "passes/coverage/instrumenter.h"
#include "passes/dataflow/call_graph.h"
#include "passes/parameters.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace gputest::passes {

CoverageVariant Instrumenter::run(const std::vector<model::IgnoreComment>& comments) {
  OfNoKernel others = of_no_kernel(tree_);
  book_.table().not_instrumented = std::move(others.entries);
  kept_ = std::move(others.functions);
  for (const clang::FunctionDecl* function : reached_functions(tree_))
    if (!kept_.contains(function->getCanonicalDecl()))
      functions_.insert(function->getCanonicalDecl());
  book_.table().left_out =
      static_cast<unsigned>(tree_.functions().size() - functions_.size() - kept_.size());
  for (std::size_t i = 0; i < plan_.votes.size(); ++i)
    vote_of_[plan_.votes[i].condition] = static_cast<unsigned>(i);
  for (const clang::Decl* declaration : context_.getTranslationUnitDecl()->decls())
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
      instrument_function(*function);
  CoverageVariant variant;
  describe_kernels();
  book_.table().divergence_words = static_cast<unsigned>(plan_.votes.size());
  book_.table().votes = describe_votes(tree_, plan_);
  variant.text = prelude() + edits_.apply(tree_.source().text);
  variant.sites = book_.finish(comments);
  name_vote_barriers(variant.sites);
  return variant;
}

bool Instrumenter::is_ours(const clang::FunctionDecl& function) const {
  return functions_.contains(function.getCanonicalDecl());
}

void Instrumenter::instrument_function(const clang::FunctionDecl& function) {
  if (kept_.contains(function.getCanonicalDecl()))
    return;
  const bool wrapper = frontend::is_wrapper(function);
  if (!is_ours(function) && !wrapper)
    return leave_out_body(tree_, function, edits_);
  add_parameter(tree_, function, state_parameter(function), edits_);
  if (!function.doesThisDeclarationHaveABody())
    return;
  current_ = &function;
  leaves_together_ = false;
  book_.enter(function);
  const auto* body = llvm::cast<clang::CompoundStmt>(function.getBody());
  const unsigned inside = tree_.offset(body->getLBracLoc()) + 1;
  if (frontend::is_kernel(function)) {
    edits_.before(inside,
                  fmt::format(" GPUTEST_BEGIN_{}(gputest_state)", function.getName().str()));
    edits_.before(tree_.offset(body->getRBracLoc()), meet_at_end(*body) + leave() + " ");
  }
  if (wrapper) {
    visit_children(*body);
    return;
  }
  const Bit entry = book_.bits(1);
  function_bits_[&function].push_back(entry.index);
  edits_.before(inside, block_state(function) + " " + hit(entry));
  walk(*body, entry);
  begin_loops_of_jumps();
}

void Instrumenter::instrument_block(const clang::BlockExpr& block) {
  function_blocks_.insert(current_);
  const auto outer = std::tuple(block_, std::move(loop_stack_), std::move(switch_stack_),
                                leaves_together_, barrier_loops_);
  loop_stack_.clear();
  switch_stack_.clear();
  leaves_together_ = false;
  barrier_loops_ = 0;
  block_ = &block;
  const auto* body = llvm::cast<clang::CompoundStmt>(block.getBody());
  const Bit entry = new_bits(1);
  edits_.before(tree_.offset(body->getLBracLoc()) + 1,
                fmt::format(" GPUTEST_ENTER_BLOCK({}) {}", kBlockState, hit(entry)));
  edits_.before(tree_.offset(body->getRBracLoc()), leave() + " ");
  walk(*body, entry);
  std::tie(block_, loop_stack_, switch_stack_, leaves_together_, barrier_loops_) = outer;
}

std::string Instrumenter::hit(Bit bit) {
  return fmt::format("GPUTEST_HIT({}, {});", bit.word(), bit.mask());
}

Bit Instrumenter::new_bits(unsigned count) {
  const Bit bit = book_.bits(count);
  for (unsigned i = 0; i < count; ++i)
    function_bits_[current_].push_back(bit.index + i);
  return bit;
}

std::string Instrumenter::leave() const {
  if (block_)
    return "GPUTEST_LEAVE_BLOCK;";
  return fmt::format("GPUTEST_LEAVE_{};", current_->getName().str());
}

std::string Instrumenter::meet_at_end(const clang::Stmt& body) {
  leaves_together_ = has_conditional_meeting(*current_);
  if (!leaves_together_)
    return {};
  const bool jumps = frontend::any_of(
      body, [](const clang::Stmt& node) { return llvm::isa<clang::ReturnStmt>(node); });
  return fmt::format("{}GPUTEST_MEET; ", jumps ? "gputest_end: " : "");
}

void Instrumenter::describe_kernels() {
  for (const clang::FunctionDecl* kernel : tree_.kernels()) {
    model::InstrumentedKernel entry;
    entry.name = kernel->getNameAsString();
    entry.straight_line = plan_.votes.empty();
    std::set<unsigned> words;
    std::string leave;
    for (const clang::FunctionDecl* function : reachable_from(tree_, *kernel)) {
      if (!frontend::is_wrapper(*function))
        entry.functions.push_back(function->getNameAsString());
      // A called kernel classifies its own loops, and publishes its own words.
      const bool publishes_itself = function != kernel && frontend::is_kernel(*function);
      if (function_loops_.contains(function) || function_blocks_.contains(function))
        entry.straight_line = false;
      if (!publishes_itself)
        for (const Loop& loop : function_open_loops_[function])
          leave += fmt::format(" GPUTEST_OPEN_LOOP_END({}, {}, {});", loop.number, loop.zero.word(),
                               loop.zero.mask());
      if (function_barriers_.contains(function) || publishes_itself)
        entry.straight_line = false;
      if (!publishes_itself)
        for (const unsigned bit : function_bits_[function])
          words.insert(bit / 32);
    }
    for (const unsigned word : words)
      leave += fmt::format(" gputest_flush(gputest, {});", word);
    ends_ +=
        fmt::format("#define GPUTEST_BEGIN_{0} {1}\n#define GPUTEST_LEAVE_{0}{2}\n", entry.name,
                    copied_.contains(kernel) ? "GPUTEST_ENTER_KNOWING" : "GPUTEST_ENTER", leave);
    book_.table().kernels.push_back(std::move(entry));
  }
  if (function_blocks_.empty())
    return;
  ends_ += "#define GPUTEST_LEAVE_BLOCK";
  for (const auto& [function, loops] : function_open_loops_)
    for (const Loop& loop : loops)
      ends_ += fmt::format(" GPUTEST_OPEN_LOOP_END({}, {}, {});", loop.number, loop.zero.word(),
                           loop.zero.mask());
  for (unsigned word = 0; word < book_.words(); ++word)
    ends_ += fmt::format(" gputest_flush(gputest, {});", word);
  ends_ += '\n';
}

void Instrumenter::name_vote_barriers(model::SiteTable& table) const {
  for (std::size_t i = 0; i < plan_.votes.size(); ++i)
    for (const clang::CallExpr* call : plan_.votes[i].barriers)
      if (const auto site = barrier_sites_.find(call); site != barrier_sites_.end())
        table.votes[i].barriers.push_back(book_.id(site->second));
}

std::string Instrumenter::prelude() const {
  return fmt::format("/* Instrumented for coverage by GpuTestCheck from {}. */\n"
                     "#define GPUTEST_WORDS {}\n#define GPUTEST_OPEN_LOOPS {}\n"
                     "#define GPUTEST_SWITCHES {}\n#define GPUTEST_VOTES {}\n{}{}{}{}{}{}{}",
                     tree_.source().files.empty() ? "" : tree_.source().files.front(),
                     book_.words(), std::max(1u, open_loops_), std::max(1u, switches_),
                     plan_.votes.size(), function_blocks_.empty() ? "" : "#define GPUTEST_BLOCKS\n",
                     embedded::state_h, embedded::storage_cl, embedded::votes_cl,
                     embedded::coverage_cl, recorders(), ends_);
}

CoverageVariant instrument_coverage(const frontend::Tree& tree, const std::string& source_name,
                                    const std::vector<model::IgnoreComment>& comments) {
  if (!model::row_of(tree.language()).has_context)
    return instrument_cuda_coverage(tree, source_name, "", false, comments);
  return Instrumenter(tree, source_name).run(comments);
}

} // namespace gputest::passes
