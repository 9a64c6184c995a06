// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coverage of CUDA C++: functions without a hidden argument, and the constructs that OpenCL C
// lacks.
#include "embedded/coverage_cuh.h"
#include "frontend/cuda/device_functions.h"
#include "frontend/walk.h"
#include "passes/coverage/instrumenter.h"
#include "passes/cuda_state.h"
#include "passes/dataflow/call_graph.h"

#include <clang/AST/ASTLambda.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>

namespace gputest::passes {

using model::Criterion;

namespace {

// The hash of a name without its places, such as that in "(lambda at file.cu:3:5)", which differ in
// the copy. templates/coverage.cuh has the same function.
std::uint64_t hash_of_name(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name.substr(i).starts_with(" at "))
      while (i < name.size() && name[i] != ')')
        ++i;
    if (i < name.size())
      hash = (hash ^ static_cast<unsigned char>(name[i])) * 0x100000001b3;
  }
  return hash;
}

// "ns::scale<float>", "Box<int>::get".
std::string name_of_instance(const clang::FunctionDecl& function) {
  std::string name;
  llvm::raw_string_ostream stream(name);
  clang::PrintingPolicy policy = function.getASTContext().getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  policy.AnonymousTagLocations = false;
  function.getNameForDiagnostic(stream, policy, true);
  return name;
}

} // namespace

CoverageVariant Instrumenter::run_cuda(const std::string& unit, bool apart,
                                       const std::vector<model::IgnoreComment>& comments) {
  if (apart)
    instantiations_ = frontend::device_instantiations(context_);
  const std::set<const clang::FunctionDecl*> reached = reached_functions(tree_, !unit.empty());
  for (const clang::FunctionDecl* function : tree_.functions())
    if (reached.contains(function))
      instrument_device_function(*function);
  book_.table().left_out = static_cast<unsigned>(tree_.functions().size() - reached.size());
  for (frontend::ListedKernel& kernel : frontend::listed_kernels(tree_, !unit.empty()))
    book_.table().kernels.push_back(
        {.name = std::move(kernel.name), .functions = std::move(kernel.functions)});
  take_state(tree_, edits_);
  for (auto& [place, argument] : state_arguments(tree_))
    edits_.before(place, std::move(argument));
  CoverageVariant variant;
  variant.text = cuda_prelude(unit) + edits_.apply(tree_.source().text);
  variant.sites = book_.finish(comments);
  return variant;
}

void Instrumenter::instrument_device_function(const clang::FunctionDecl& function) {
  book_.enter(function);
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(function.getBody());
  if (!body || body->getLBracLoc().isMacroID() ||
      tree_.begin(body->getSourceRange()) == tree_.offset(body->getRBracLoc()))
    return book_.not_instrumented(function.getSourceRange(), "function from a macro",
                                  "it is written by a macro of a header");
  if (frontend::is_declared_constexpr(function))
    return book_.not_instrumented(function.getSourceRange(), "constexpr function",
                                  "the compiler evaluates it, too, and may call nothing else");
  current_ = &function;
  switches_ = 0;
  loop_stack_.clear();
  const unsigned inside = tree_.offset(body->getLBracLoc()) + 1;
  book_.begin_word(); // a function adds few words to the state when it ends
  const Bit entry = book_.bits(1);
  function_bits_[&function].push_back(entry.index);
  unsigned switches = 0;
  frontend::walk(*body, [&](const clang::Stmt& node) {
    switches += llvm::isa<clang::SwitchStmt>(node) ? 1 : 0;
    return !llvm::isa<clang::LambdaExpr>(node);
  });
  if (switches > 0)
    edits_.before(inside, fmt::format(" unsigned gputest_switches[{}] = {{}};", switches));
  edits_.before(inside, " " + hit(entry));
  if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&function))
    for (const clang::CXXCtorInitializer* initializer : constructor->inits())
      if (initializer->isWritten() && initializer->getInit())
        visit_initializer(*initializer->getInit(), entry);
  walk(*body, entry);
  const unsigned last = Bit{std::ranges::max(function_bits_[&function])}.word(),
                 count = last - entry.word() + 1;
  const std::string hashes = add_instances(function, count);
  edits_.after(inside, hashes.empty() ? fmt::format(" GPUTEST_ENTER({}, {});", entry.word(), count)
                                      : fmt::format(" GPUTEST_ENTER_ONE_OF({}, {}{});",
                                                    entry.word(), count, hashes));
}

void Instrumenter::visit_initializer(const clang::Expr& value, Bit probe) {
  in_initializer_ = true;
  visit(value, probe, false);
  in_initializer_ = false;
}

std::string Instrumenter::add_instances(const clang::FunctionDecl& function, unsigned count) {
  const auto found = instantiations_.find(function.getBody()->getBeginLoc());
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (found == instantiations_.end() || llvm::isa<clang::CXXConstructorDecl>(function) ||
      (method && clang::isLambdaCallOperator(method)))
    return {};
  std::string hashes;
  std::set<std::uint64_t> known;
  for (const clang::FunctionDecl* made : found->second) {
    const std::uint64_t hash = hash_of_name(
        clang::PredefinedExpr::ComputeName(clang::PredefinedIdentKind::PrettyFunction, made));
    if (!known.insert(hash).second)
      continue;
    hashes += fmt::format(", {:#x}ull", hash);
    const auto before = static_cast<unsigned>(known.size() - 1);
    book_.add_instance({.function = name_of_instance(*made), .distance = before * count * 32},
                       discarded(function, *made));
  }
  book_.add_words(static_cast<unsigned>(known.size() - 1) * count);
  return known.size() > 1 ? hashes : "";
}

std::vector<SiteBook::Range> Instrumenter::discarded(const clang::FunctionDecl& written,
                                                     const clang::FunctionDecl& made) const {
  std::map<clang::SourceLocation, const clang::IfStmt*> choices;
  frontend::walk(*written.getBody(), [&](const clang::Stmt& node) {
    if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&node); choice && choice->isConstexpr())
      choices[choice->getIfLoc()] = choice;
    return true;
  });
  std::vector<SiteBook::Range> ranges;
  frontend::walk(*made.getBody(), [&](const clang::Stmt& node) {
    const auto* choice = llvm::dyn_cast<clang::IfStmt>(&node);
    const auto kept = choice ? choice->getNondiscardedCase(context_) : std::nullopt;
    const auto found = kept ? choices.find(choice->getIfLoc()) : choices.end();
    if (found == choices.end())
      return true;
    const bool is_true = *kept == choice->getThen();
    if (const clang::Stmt* gone = is_true ? found->second->getElse() : found->second->getThen())
      ranges.emplace_back(tree_.begin(gone->getSourceRange()), tree_.end(gone->getSourceRange()));
    return true;
  });
  return ranges;
}

bool Instrumenter::is_others_macro(const clang::Stmt& node) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  const auto is_body = [&](clang::SourceLocation location) {
    return location.isMacroID() && !sources.isMacroArgExpansion(location);
  };
  return is_body(node.getBeginLoc()) || is_body(node.getEndLoc());
}

bool Instrumenter::walk_cpp(const clang::Stmt& statement, Bit probe) {
  if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(&statement)) {
    walk_range(*loop, probe);
    return true;
  }
  if (llvm::isa<clang::CompoundStmt, clang::NullStmt, clang::DeclStmt>(statement) ||
      !is_others_macro(statement))
    return false;
  // assert() and the like
  statement_site(tree_.begin(statement.getSourceRange()), tree_.end(statement.getSourceRange()),
                 probe);
  return true;
}

void Instrumenter::walk_range(const clang::CXXForRangeStmt& loop, Bit probe) {
  header_site(loop, *loop.getBody(), probe);
  enter_loop(loop);
  const Bit inside = new_bits(1);
  begin_loop(loop, *loop.getBody(), {.kind = "for"});
  walk_into_body(*loop.getBody(), inside);
  if (loop.getInit())
    visit(*loop.getInit(), probe, false);
  visit(*loop.getRangeInit(), probe, false);
  walk(*loop.getBody(), inside);
  leave_loop(loop);
}

void Instrumenter::walk_declaring_loop(const clang::Stmt& loop, const clang::Stmt& body,
                                       const char* kind, Bit probe, const clang::Stmt* before,
                                       const clang::Expr* step) {
  book_.not_instrumented(loop.getSourceRange(), "declaration in a condition",
                         "whether it was false is not recorded");
  const Bit inside = new_bits(1);
  begin_loop(loop, body, {.kind = kind});
  walk_into_body(body, inside);
  if (before)
    visit(*before, probe, false);
  if (step)
    visit(*step, inside, false);
  walk(body, inside);
  leave_loop(loop);
}

void Instrumenter::walk_wrapped(const clang::Stmt& statement, Bit bit) {
  edits_.around(in_front_of(statement), tree_.end_of_statement(statement), "{ " + hit(bit) + " ",
                " }");
  walk(statement, bit);
}

void Instrumenter::walk_special_if(const clang::IfStmt& choice, Bit probe) {
  const Bit no = new_bits(2);
  if (const clang::VarDecl* variable = choice.getConditionVariable()) {
    book_.add(Criterion::Branch, "if", tree_.begin(variable->getSourceRange()),
              tree_.end(variable->getSourceRange()), {{"true", no.index + 1}, {"false", no.index}});
    if (variable->hasInit())
      visit(*variable->getInit(), probe, false);
    if (!choice.getElse())
      edits_.after(tree_.end_of_statement(*choice.getThen()), " else { " + hit(no) + " }");
  } // else: what the compiler decides is no outcome of a test
  walk_wrapped(*choice.getThen(), no.next());
  if (choice.getElse())
    walk_wrapped(*choice.getElse(), no);
}

bool Instrumenter::visit_cpp(const clang::Stmt& node, Bit probe) {
  if (llvm::isa<clang::LambdaExpr>(node)) // a function of its own; what it captures is below
    return true;
  if (llvm::isa<clang::CXXDefaultArgExpr, clang::CXXDefaultInitExpr, clang::SourceLocExpr,
                clang::CXXNoexceptExpr, clang::CXXTypeidExpr, clang::SizeOfPackExpr,
                clang::OpaqueValueExpr>(node))
    return true;
  if (const auto* property = llvm::dyn_cast<clang::PseudoObjectExpr>(&node)) { // threadIdx.x
    visit(*property->getSyntacticForm(), probe, false);
    return true;
  }
  if (const auto* rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(&node)) {
    visit(*rewritten->getLHS(), probe, false);
    visit(*rewritten->getRHS(), probe, false);
    return true;
  }
  if (node.getBeginLoc().isInvalid())
    return true;
  if (!llvm::isa<clang::Expr>(node) || !is_others_macro(node))
    return false;
  const bool decides = frontend::any_of(node, [](const clang::Stmt& part) {
    const auto* expression = llvm::dyn_cast<clang::Expr>(&part);
    return expression &&
           (is_logical(*expression) || llvm::isa<clang::AbstractConditionalOperator>(expression));
  });
  if (decides)
    book_.not_instrumented(node.getSourceRange(), "macro of a header",
                           "what it decides is not the author's");
  return true;
}

std::string Instrumenter::cuda_prelude(const std::string& unit) const {
  return fmt::format("/* Instrumented for coverage by GpuTestCheck from {}. */\n"
                     "{}#define GPUTEST_WORDS {}\n{}",
                     tree_.source().files.empty() ? "" : tree_.source().files.front(),
                     state_of(tree_, "coverage", unit), book_.words(), embedded::coverage_cuh);
}

CoverageVariant instrument_cuda_coverage(const frontend::Tree& tree, const std::string& source_name,
                                         const std::string& unit, bool apart,
                                         const std::vector<model::IgnoreComment>& comments) {
  return Instrumenter(tree, source_name).run_cuda(unit, apart, comments);
}

} // namespace gputest::passes
