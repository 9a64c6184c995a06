// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/cuda.h"

#include "embedded/mutants_cuh.h"
#include "frontend/cuda/device_functions.h"
#include "frontend/stable_ids.h"
#include "frontend/walk.h"
#include "passes/cuda_state.h"
#include "passes/dataflow/call_graph.h"
#include "passes/dataflow/jumps.h"
#include "passes/mutation/cuda_lasting.h"
#include "passes/mutation/cuda_launches.h"
#include "passes/mutation/cuda_text.h"
#include "passes/mutation/differences.h"
#include "passes/mutation/launch_mutants.h"
#include "passes/mutation/proposals.h"

#include <algorithm>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

namespace gputest::passes::mutation {
namespace {

struct Found {
  CudaMutant mutant;
  std::vector<std::string> operators;
  std::string function;
  bool once = false; // of its function one thing is made
};

class CudaMutator {
public:
  CudaMutator(const frontend::Tree& tree, std::string source_name, std::string unit,
              const std::function<bool(unsigned)>& is_wanted)
      : tree_(tree), unit_(std::move(unit)), is_wanted_(is_wanted),
        reached_(reached_functions(tree, !unit_.empty())) {
    table_.left_out = static_cast<unsigned>(tree.functions().size() - reached_.size());
    table_.source = std::move(source_name);
  }

  CudaMutants run() {
    find_all();
    if (!unit_.empty())
      launches_ = find_launches(tree_, table_.not_mutated);
    for (CudaLaunch& launch : launches_) {
      launch.index = sites_made_++;
      for (CudaMutant& mutant : launch.mutants)
        mutant.number = next_++;
    }
    table_.reached_bits = sites_made_;
    std::erase_if(sites_, [&](const CudaSite& site) { return !is_wanted_(site.index); });
    for (const clang::FunctionDecl* function : tree_.functions())
      if (reached_.contains(function))
        enter(*function);
    for (auto& [place, argument] : state_arguments(tree_))
      insertions_.push_back({place, std::move(argument)});
    std::ranges::sort(insertions_, {}, &CudaInsertion::at);
    CudaMutants result;
    result.device = prelude() + text_with_mutants(tree_, sites_, insertions_, state_edits());
    result.host = host_text(tree_, tree_.source().content, launches_, unit_);
    result.whole = "#define GPUTEST_GPU\n" + prelude() +
                   "extern \"C\" unsigned gputest_gpu_launch(const char* unit, unsigned site);\n" +
                   lasting_text() +
                   text_with_mutants(tree_, sites_, insertions_, launch_edits(launches_, unit_));
    list();
    list_kernels();
    result.changes = std::move(changes_);
    result.table = std::move(table_);
    return result;
  }

  Differences differences() {
    find_all();
    MutantsOfNodes wanted;
    for (const auto& [one, site] : made_)
      if (one->mutant.proposal.node && one->once && is_wanted_(one->mutant.number))
        wanted[one->mutant.proposal.node].emplace_back(&one->mutant.proposal, one->mutant.number);
    return show_differences(tree_, wanted, made_once_);
  }

private:
  frontend::Edits state_edits() const {
    frontend::Edits edits;
    take_state(tree_, edits);
    return edits;
  }

  // Code that says, before main(), that each run of the program needs a process of its own.
  std::string lasting_text() const {
    const std::string what = lasting_state(tree_);
    return what.empty()
               ? ""
               : fmt::format("extern \"C\" int gputest_gpu_keeps(const char* what);\n"
                             "static const int gputest_kept = gputest_gpu_keeps(\"{}\");\n",
                             what);
  }

  void find_all() {
    for (const clang::FunctionDecl* function : tree_.functions())
      if (reached_.contains(function))
        find(*function);
    std::ranges::stable_sort(found_, {}, [](const Found& one) {
      return std::tuple(one.mutant.proposal.begin, ~one.mutant.proposal.end);
    });
    make_sites();
  }

  void list_kernels() {
    for (frontend::ListedKernel& kernel : frontend::listed_kernels(tree_, !unit_.empty()))
      table_.kernels.push_back(
          {.name = std::move(kernel.name), .functions = std::move(kernel.functions)});
    if (unit_.empty())
      for (model::Mutant& mutant : launch_mutants(tree_))
        table_.mutants.push_back(std::move(mutant));
  }

  void find(const clang::FunctionDecl& function) {
    if (frontend::is_declared_constexpr(function)) {
      unreached(tree_.unhandled(function.getSourceRange(), frontend::name_of_function(function),
                                "constexpr function", "the compiler evaluates it, too"));
      return;
    }
    std::vector<const clang::FunctionDecl*> made{&function};
    if (function.isDependentContext())
      made = frontend::instantiations(tree_.context(), function);
    if (made.empty()) {
      unreached(tree_.unhandled(function.getSourceRange(), frontend::name_of_function(function),
                                "template", "nothing is made of it here"));
      return;
    }
    if (made.size() == 1)
      made_once_.push_back(made.front());
    const std::vector<const clang::CXXFoldExpr*> folds = folds_of(function);
    std::map<std::string, std::size_t> count; // of functions that propose a change
    std::map<std::string, Found> first;
    std::vector<std::string> order;
    std::vector<std::set<unsigned>> places; // where functions have code: some leave out branches
    for (const clang::FunctionDecl* one : made) {
      Proposals proposals(tree_);
      propose_in(*one, proposals);
      std::set<std::string> here;
      for (Proposal& proposal : proposals.proposals) {
        if (!can_be_copied(proposal, function) || breaks_a_fold(proposal, folds))
          continue;
        std::vector<TextChange> changes = changes_of(proposal);
        std::string key = fmt::format("{}", static_cast<int>(kind_of(proposal.manner)));
        for (const TextChange& change : changes)
          key += fmt::format("\n{} {} {}", change.begin, change.end, change.text);
        const std::string name(proposal.operator_name);
        const auto [entry, is_new] =
            first.try_emplace(key, Found{{std::move(proposal), std::move(changes), 0},
                                         {},
                                         frontend::name_of_function(function),
                                         made.size() == 1});
        if (is_new)
          order.push_back(key);
        if (std::ranges::find(entry->second.operators, name) == entry->second.operators.end())
          entry->second.operators.push_back(name);
        if (here.insert(key).second)
          ++count[key];
      }
      for (model::NotInstrumented& entry : proposals.unreached) {
        entry.function = frontend::name_of_function(function);
        unreached(std::move(entry));
      }
      places.push_back(code_of(*one));
    }
    for (const std::string& key : order) {
      const unsigned begin = first.at(key).mutant.proposal.begin;
      const auto having = static_cast<std::size_t>(
          std::ranges::count_if(places, [&](const auto& all) { return all.contains(begin); }));
      if (count.at(key) >= std::max<std::size_t>(having, 1)) // else it does not fit all types
        found_.push_back(std::move(first.at(key)));
    }
  }

  // Nothing in an instantiation tells an element of (… + values) from other code.
  std::vector<const clang::CXXFoldExpr*> folds_of(const clang::FunctionDecl& function) {
    std::vector<const clang::CXXFoldExpr*> folds;
    frontend::walk(*function.getBody(), [&](const clang::Stmt& node) {
      if (const auto* fold = llvm::dyn_cast<clang::CXXFoldExpr>(&node)) {
        folds.push_back(fold);
        unreached(tree_.unhandled(node.getSourceRange(), frontend::name_of_function(function),
                                  "fold expression", "only its operands are mutated"));
      }
      return !llvm::isa<clang::LambdaExpr>(node);
    });
    return folds;
  }

  // Whether what is copied is neither all of a fold nor within one of its operands.
  bool breaks_a_fold(const Proposal& proposal,
                     const std::vector<const clang::CXXFoldExpr*>& folds) const {
    const std::pair<unsigned, unsigned> copied = range_of(proposal);
    const auto range = [&](const clang::Expr* part) {
      return part
                 ? std::pair(tree_.begin(part->getSourceRange()), tree_.end(part->getSourceRange()))
                 : std::pair(0u, 0u);
    };
    const auto holds = [](const auto& outer, const auto& inner) {
      return outer.first <= inner.first && inner.second <= outer.second;
    };
    return std::ranges::any_of(folds, [&](const clang::CXXFoldExpr* fold) {
      const bool in_operand =
          kind_of(proposal.manner) == SiteKind::Expression &&
          (holds(range(fold->getLHS()), copied) || holds(range(fold->getRHS()), copied));
      const auto whole = range(fold);
      const bool apart = whole.second <= copied.first || copied.second <= whole.first;
      return !apart && !in_operand && !holds(copied, whole);
    });
  }

  std::set<unsigned> code_of(const clang::FunctionDecl& function) const {
    std::set<unsigned> begins;
    frontend::walk(*function.getBody(), [&](const clang::Stmt& node) {
      if (node.getBeginLoc().isValid())
        begins.insert(tree_.begin(node.getSourceRange()));
      return !llvm::isa<clang::LambdaExpr>(node);
    });
    return begins;
  }

  void unreached(model::NotInstrumented entry) {
    if (std::ranges::find(table_.not_mutated, entry) == table_.not_mutated.end())
      table_.not_mutated.push_back(std::move(entry));
  }

  // Whether the statement may be copied.
  bool can_be_copied(const Proposal& proposal, const clang::FunctionDecl& function) {
    if (proposal.manner == Manner::Program)
      return false; // none of CUDA's operators
    if (proposal.manner == Manner::Share && row_.pointers_tell_space) {
      unreached(tree_.unhandled(
          proposal.node->getSourceRange(), frontend::name_of_function(function),
          std::string(proposal.operator_name), "no reference is to local and to private memory"));
      return false;
    }
    const bool loop = proposal.manner == Manner::LoopSkip || proposal.manner == Manner::LoopMore ||
                      proposal.manner == Manner::LoopLess;
    if (!loop)
      return true;
    const bool labels = holds_outer_case(*proposal.node) ||
                        frontend::any_of(*proposal.node, [](const clang::Stmt& node) {
                          return llvm::isa<clang::LabelStmt>(node);
                        });
    if (labels)
      unreached(tree_.unhandled(proposal.node->getSourceRange(),
                                frontend::name_of_function(function),
                                std::string(proposal.operator_name), "it has labels"));
    return !labels;
  }

  std::vector<TextChange> changes_of(const Proposal& proposal) const {
    std::vector<TextChange> changes;
    for (const Replacement& change : proposal.patch) {
      std::string text;
      for (const Part& part : change.parts)
        text += part.node ? in_one_line(tree_.source(), tree_.begin(part.node->getSourceRange()),
                                        tree_.end(part.node->getSourceRange()))
                          : part.text;
      if (!proposal.declarations.empty()) // of variables that this text alone uses
        text = fmt::format("({{{} {}; }})", proposal.declarations, text);
      changes.push_back({change.begin, change.end, text});
    }
    return changes;
  }

  // The text that is copied.
  std::pair<unsigned, unsigned> range_of(const Proposal& proposal) const {
    const clang::SourceRange range = proposal.node->getSourceRange();
    if (kind_of(proposal.manner) == SiteKind::Expression)
      return {tree_.begin(range), tree_.end(range)};
    return {tree_.begin(range), tree_.end_of_statement(*proposal.node)};
  }

  void make_sites() {
    std::map<std::tuple<unsigned, unsigned, int>, std::vector<Found*>> places;
    for (Found& one : found_) {
      const auto [begin, end] = range_of(one.mutant.proposal);
      const bool fits = std::ranges::all_of(one.mutant.changes, [&](const TextChange& change) {
        return begin <= change.begin && change.end <= end;
      });
      const int kind = 2 - static_cast<int>(kind_of(one.mutant.proposal.manner));
      if (fits) // from the outside in
        places[{begin, ~end, kind}].push_back(&one);
    }
    std::vector<unsigned> ends; // of the sites around
    for (auto& [where, all] : places) {
      const unsigned begin = std::get<0>(where), end = ~std::get<1>(where);
      while (!ends.empty() && ends.back() <= begin)
        ends.pop_back();
      if (!ends.empty() && ends.back() < end)
        continue; // half within another: macros
      ends.push_back(end);
      CudaSite site{.begin = begin, .end = end, .index = sites_made_++, .mutants = {}};
      for (Found* one : all) {
        one->mutant.number = next_++;
        site.mutants.push_back(one->mutant);
        made_.push_back({one, site.index});
      }
      sites_.push_back(std::move(site));
    }
  }

  // A function reads once which mutant is active, and counts the iterations of its loops.
  void enter(const clang::FunctionDecl& function) {
    const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function.getBody());
    if (!body || body->getLBracLoc().isMacroID() || frontend::is_declared_constexpr(function))
      return;
    const unsigned begin = tree_.offset(body->getLBracLoc()) + 1,
                   end = tree_.offset(body->getRBracLoc());
    std::vector<unsigned> loops;
    frontend::walk(*body, [&](const clang::Stmt& node) {
      if (const clang::Stmt* const repeated = body_of_loop(node);
          repeated && !repeated->getBeginLoc().isMacroID())
        loops.push_back(tree_.source().before_pragmas(tree_.begin(repeated->getSourceRange())));
      return !llvm::isa<clang::LambdaExpr>(node);
    });
    const auto first = std::ranges::lower_bound(sites_, begin, {}, &CudaSite::begin);
    const auto last = std::ranges::lower_bound(sites_, end, {}, &CudaSite::begin);
    if (loops.empty() && first == last)
      return;
    const unsigned word = first == last ? 0 : first->index / 32,
                   words = first == last ? 1 : std::prev(last)->index / 32 - word + 1;
    insertions_.push_back({begin, fmt::format(" GPUTEST_FUNCTION({}, {});", word, words)});
    for (const unsigned loop : loops)
      insertions_.push_back({loop, " GPUTEST_ITERATION "});
  }

  static const clang::Stmt* body_of_loop(const clang::Stmt& node) {
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&node))
      return loop->getBody();
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&node))
      return loop->getBody();
    if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(&node))
      return loop->getBody();
    const auto* range = llvm::dyn_cast<clang::CXXForRangeStmt>(&node);
    return range ? range->getBody() : nullptr;
  }

  void list() {
    frontend::StableIds ids;
    std::ranges::stable_sort(made_, {}, [](const auto& one) {
      return std::tuple(one.first->mutant.proposal.begin, ~one.first->mutant.proposal.end);
    });
    for (const auto& [one, site] : made_)
      add(one->mutant, one->operators, one->function, site, ids);
    for (const CudaLaunch& launch : launches_)
      for (const CudaMutant& mutant : launch.mutants)
        add(mutant, {std::string(mutant.proposal.operator_name)}, launch.function, launch.index,
            ids);
  }

  void add(const CudaMutant& found, std::vector<std::string> operators, const std::string& function,
           unsigned site, frontend::StableIds& ids) {
    model::Mutant mutant = listed(tree_, found.proposal, std::move(operators), function, ids);
    mutant.number = found.number;
    mutant.site = site;
    changes_[mutant.id] = found.changes;
    table_.mutants.push_back(std::move(mutant));
  }

  std::string prelude() const {
    return fmt::format("/* Mutants of {}, by GpuTestCheck. */\n"
                       "{}#define GPUTEST_REACHED_WORDS {}\n{}",
                       tree_.source().files.front(), state_of(tree_, "mutants", unit_),
                       sites_made_ / 32 + 1, embedded::mutants_cuh);
  }

  const frontend::Tree& tree_;
  const model::LanguageRow& row_ = model::row_of(tree_.language());
  std::string unit_;
  const std::function<bool(unsigned)>& is_wanted_;
  const std::set<const clang::FunctionDecl*> reached_;
  model::MutantTable table_;
  std::map<std::string, std::vector<TextChange>> changes_;
  std::vector<Found> found_;
  std::vector<const clang::FunctionDecl*> made_once_;
  std::vector<CudaSite> sites_;
  std::vector<CudaInsertion> insertions_;
  std::vector<CudaLaunch> launches_;
  std::vector<std::pair<Found*, unsigned>> made_; // with the site
  unsigned next_ = 1, sites_made_ = 0;
};

} // namespace

CudaMutants mutate_cuda(const frontend::Tree& tree, const std::string& source_name,
                        const std::string& unit, const std::function<bool(unsigned)>& is_wanted) {
  return CudaMutator(tree, source_name, unit, is_wanted).run();
}

Differences cuda_differences(const frontend::Tree& tree, const std::string& source_name,
                             const std::function<bool(unsigned)>& is_wanted) {
  return CudaMutator(tree, source_name, "", is_wanted).differences();
}

} // namespace gputest::passes::mutation
