// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/mutants.h"

#include "embedded/events_cl.h"
#include "embedded/identity_cl.h"
#include "embedded/mutants_cl.h"
#include "embedded/schedule_cl.h"
#include "embedded/state_h.h"
#include "embedded/storage_cl.h"
#include "embedded/votes_cl.h"
#include "frontend/stable_ids.h"
#include "frontend/walk.h"
#include "passes/blocks.h"
#include "passes/dataflow/call_graph.h"
#include "passes/mutation/cuda.h"
#include "passes/mutation/differences.h"
#include "passes/mutation/first_assignments.h"
#include "passes/mutation/launch_mutants.h"
#include "passes/mutation/renderer.h"
#include "passes/nodes.h"
#include "passes/parameters.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace gputest::passes::mutation {
namespace {

constexpr std::size_t kMany = 200; // sites, see GPUTEST_LARGE in templates/mutants.cl

// Returns the product, maybe negated, that is this operand of a sum; nullptr if it is none.
// Compilers fuse both into one instruction (FP_CONTRACT), whose result differs from that of two.
// Both must stay in one expression, so their mutants are alternatives to the whole expression.
const clang::Expr* product(const clang::Expr& operand) {
  const clang::Expr* node = operand.IgnoreParens();
  if (const auto* negated = llvm::dyn_cast<clang::UnaryOperator>(node);
      negated && negated->getOpcode() == clang::UO_Minus)
    return product(*negated->getSubExpr());
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(node);
  return binary && binary->getOpcode() == clang::BO_Mul && is_floating(binary->getType()) ? binary
                                                                                          : nullptr;
}

// Maps each node that must stay in one expression with another to that other node.
std::map<const clang::Stmt*, const clang::Stmt*> contracted(const frontend::Tree& tree) {
  std::map<const clang::Stmt*, const clang::Stmt*> into;
  const auto own = [&](const clang::Expr& operand, const clang::Stmt& sum) {
    if (!product(operand))
      return;
    for (const clang::Expr* node = operand.IgnoreParens();;) {
      into[node] = &sum;
      const auto* negated = llvm::dyn_cast<clang::UnaryOperator>(node);
      if (!negated)
        return;
      node = negated->getSubExpr()->IgnoreParens();
    }
  };
  for (const clang::FunctionDecl* function : tree.functions())
    frontend::walk(*function->getBody(), [&](const clang::Stmt& node) {
      const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(&node);
      if (!sum || !is_floating(sum->getType()))
        return true;
      const clang::BinaryOperatorKind kind = sum->getOpcode();
      if (kind == clang::BO_Add || kind == clang::BO_Sub)
        own(*sum->getLHS(), node);
      if (kind == clang::BO_Add || kind == clang::BO_Sub || kind == clang::BO_AddAssign ||
          kind == clang::BO_SubAssign)
        own(*sum->getRHS(), node);
      return true;
    });
  return into;
}

class Mutator {
public:
  Mutator(const frontend::Tree& tree, std::string source_name)
      : tree_(tree), reached_(reached_functions(tree)), others_(of_no_kernel(tree)) {
    std::erase_if(reached_, [&](const auto* function) { return is_kept(*function); });
    table_.left_out =
        static_cast<unsigned>(tree.functions().size() - reached_.size() - others_.functions.size());
    table_.source = std::move(source_name);
  }

  MutantVariant run() {
    MutantVariant variant;
    Proposals found = find_proposals(tree_, reached_);
    proposals_ = merged(std::move(found.proposals));
    table_.not_mutated = std::move(found.unreached);
    std::ranges::copy(others_.entries, std::back_inserter(table_.not_mutated));
    make_sites();
    const BarrierPlan plan = plan_barriers(tree_, Groups::Vary);
    GuardBook guards(tree_);
    variant.text = render(plan, sites_, guards, table_.not_mutated);
    table_.guards = guards.guards;
    std::vector<model::NotInstrumented> said;
    variant.original = render(plan, {}, guards, said);
    table_.votes = describe_votes(tree_, plan);
    list_kernels();
    list_mutants(variant);
    for (model::Mutant& mutant : launch_mutants(tree_))
      table_.mutants.push_back(std::move(mutant));
    for (const clang::FunctionDecl* kernel : tree_.kernels())
      for (const model::Mutant& mutant : table_.mutants)
        if (mutant.swapped && mutant.function == kernel->getNameAsString() &&
            knows_no_groups(tree_, *kernel))
          variant.same_launches.insert(mutant.id);
    variant.table = std::move(table_);
    return variant;
  }

  Differences with_differences(const std::function<bool(unsigned)>& is_wanted) {
    proposals_ = merged(find_proposals(tree_, reached_).proposals);
    make_sites();
    MutantsOfNodes wanted;
    for (const auto& [node, site] : sites_)
      for (std::size_t i = 0; i < site.mutants.size(); ++i)
        if (const unsigned number = site.first + static_cast<unsigned>(i); is_wanted(number))
          wanted[node].emplace_back(site.mutants[i], number);
    return show_differences(tree_, wanted);
  }

  GuardedOriginal without_mutants() {
    const BarrierPlan plan = plan_barriers(tree_, Groups::Vary);
    GuardBook guards(tree_);
    std::string text = render(plan, {}, guards, table_.not_mutated);
    table_.guards = guards.guards;
    table_.votes = describe_votes(tree_, plan);
    list_kernels();
    return {std::move(text), std::move(table_)};
  }

  std::string with_sites(const std::function<bool(unsigned)>& is_wanted) {
    proposals_ = merged(find_proposals(tree_, reached_).proposals);
    make_sites();
    const BarrierPlan plan = plan_barriers(tree_, Groups::Vary);
    GuardBook guards(tree_);
    std::vector<model::NotInstrumented> said;
    render(plan, sites_, guards, said); // so that guards get the same numbers as there
    std::erase_if(sites_, [&](const auto& entry) { return !is_wanted(entry.second.index); });
    return render(plan, sites_, guards, said);
  }

  std::string alone(const model::MutantTable& known, bool synchronisation) {
    const BarrierPlan plan = plan_barriers(tree_, synchronisation ? Groups::Agree : Groups::Vary);
    GuardBook guards(tree_, known);
    std::vector<model::NotInstrumented> unguarded;
    table_.guards = known.guards;
    return render(plan, {}, guards, unguarded, known.votes.size());
  }

private:
  struct Merged {
    Proposal proposal; // the first proposal of those that make the same change
    std::vector<std::string> operators;
    const clang::FunctionDecl* function = nullptr;
  };

  // Operators overlap: one change is one mutant.
  std::vector<Merged> merged(std::vector<Proposal> proposals) const {
    std::map<std::string, std::size_t> seen;
    std::vector<Merged> result;
    for (Proposal& proposal : proposals) {
      std::string key = fmt::format("{}", static_cast<int>(proposal.manner));
      for (const TextChange& change : text_changes(proposal))
        key += fmt::format("\n{} {} {}", change.begin, change.end, change.text);
      const std::string_view name = proposal.operator_name;
      const auto [entry, is_new] = seen.try_emplace(key, result.size());
      if (is_new)
        result.push_back({std::move(proposal), {}, nullptr});
      result[entry->second].operators.emplace_back(name);
    }
    for (Merged& one : result)
      one.function = tree_.function_at(one.proposal.begin);
    std::ranges::stable_sort(result, {}, [](const Merged& one) {
      return std::pair(one.proposal.begin, ~one.proposal.end);
    });
    return result;
  }

  std::vector<TextChange> text_changes(const Proposal& proposal) const {
    std::vector<TextChange> changes;
    if (!proposal.declarations.empty()) {
      const clang::FunctionDecl* function = tree_.function_at(proposal.begin);
      const unsigned body =
          tree_.begin(body_at(tree_, *function, proposal.begin).getSourceRange()) + 1;
      changes.push_back({body, body, proposal.declarations});
    }
    for (const Replacement& change : proposal.patch) {
      std::string text;
      for (const Part& part : change.parts)
        text += part.node ? tree_.source().text.substr(tree_.begin(part.node->getSourceRange()),
                                                       tree_.end(part.node->getSourceRange()) -
                                                           tree_.begin(part.node->getSourceRange()))
                          : part.text;
      changes.push_back({change.begin, change.end, text});
    }
    return changes;
  }

  // Numbers mutants of one node, and of nodes that must stay in one expression with it, one after
  // the other.
  void make_sites() {
    const auto into = contracted(tree_);
    std::map<const clang::Stmt*, std::vector<const Proposal*>> of;
    std::vector<const clang::Stmt*> order;
    for (const Merged& one : proposals_) {
      if (one.proposal.manner == Manner::Program)
        continue;
      const clang::Stmt* node = one.proposal.node;
      while (one.proposal.manner == Manner::Expression && into.contains(node))
        node = into.at(node);
      if (of[node].empty())
        order.push_back(node);
      of[node].push_back(&one.proposal);
    }
    unsigned number = 1, index = 0;
    for (const clang::Stmt* node : order) {
      MutationSite& site = sites_[node];
      site.first = number;
      site.index = index++;
      site.mutants = of[node];
      for (const Proposal* proposal : site.mutants)
        numbers_[proposal] = {number++, site.index};
    }
    table_.reached_bits = index;
  }

  static std::vector<const clang::FunctionDecl*> all_functions(const frontend::Tree& tree) {
    std::vector<const clang::FunctionDecl*> result;
    for (const clang::Decl* declaration : tree.context().getTranslationUnitDecl()->decls())
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
        result.push_back(function);
    return result;
  }

  bool is_kept(const clang::FunctionDecl& function) const {
    return others_.functions.contains(function.getCanonicalDecl());
  }

  bool is_ours(const clang::FunctionDecl& function) const {
    const clang::FunctionDecl* definition = nullptr;
    return frontend::is_wrapper(function) ||
           (function.hasBody(definition) && reached_.contains(definition));
  }

  std::string render(const BarrierPlan& plan, const Renderer::Sites& sites, GuardBook& guards,
                     std::vector<model::NotInstrumented>& unguarded, std::size_t more_votes = 0) {
    frontend::Edits edits;
    Renderer renderer(tree_, plan, sites, guards, others_.functions);
    called_.clear();
    for (const clang::FunctionDecl* function : reached_)
      frontend::walk(*function->getBody(), [&](const clang::Stmt& node) {
        if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node))
          if (const clang::FunctionDecl* callee = call->getDirectCallee())
            called_.insert(callee->getCanonicalDecl());
        return true;
      });
    for (const clang::FunctionDecl* function : all_functions(tree_)) {
      if (is_kept(*function))
        continue;
      if (!is_ours(*function)) {
        leave_out_body(tree_, *function, edits);
        continue;
      }
      add_parameters(*function, edits);
      if (!function->doesThisDeclarationHaveABody())
        continue;
      std::string body = renderer.body(*function);
      body.insert(1, block_state(*function));
      if (frontend::is_kernel(*function))
        body.insert(1, enter(*function));
      edits.replace(tree_.begin(function->getBody()->getSourceRange()),
                    tree_.end(function->getBody()->getSourceRange()), body);
    }
    for (const clang::FunctionDecl* kernel : tree_.kernels())
      table_.arguments = std::max(table_.arguments, kernel->getNumParams());
    unguarded.insert(unguarded.end(), renderer.unguarded.begin(), renderer.unguarded.end());
    const bool has_blocks = std::ranges::any_of(
        reached_, [](const auto* function) { return !blocks_in(*function->getBody()).empty(); });
    const std::size_t votes = plan.votes.empty() ? 0 : std::max(plan.votes.size(), more_votes + 1);
    return fmt::format(
        "/* Mutants of {}, by GpuTestCheck. */\n#define GPUTEST_ARGUMENTS {}\n"
        "#define GPUTEST_GUARDS {}\n#define GPUTEST_VOTES {}\n{}{}{}{}{}{}{}{}{}{}{}",
        tree_.source().files.empty() ? "" : tree_.source().files.front(), table_.arguments,
        std::max(guards.guards.size(), table_.guards.size()), votes,
        sites.size() > kMany ? "#define GPUTEST_LARGE\n" : "",
        has_blocks ? "#define GPUTEST_BLOCKS\n" : "", embedded::state_h, embedded::storage_cl,
        embedded::votes_cl, embedded::events_cl, embedded::schedule_cl, embedded::mutants_cl,
        embedded::identity_cl, renderer.helpers().text(), edits.apply(tree_.source().text));
  }

  void add_parameters(const clang::FunctionDecl& function, frontend::Edits& edits) const {
    std::string parameters = state_parameter(function);
    for (unsigned i = 0; i < function.getNumParams() && !frontend::is_kernel(function); ++i)
      if (function.getParamDecl(i)->getType()->isPointerType()) {
        const Bounds bounds = Pointers::parameter(i);
        parameters += fmt::format(", ulong {}, ulong {}", bounds.low, bounds.size);
      }
    add_parameter(tree_, function, parameters, edits);
  }

  std::string enter(const clang::FunctionDecl& kernel) const {
    std::string text = " GPUTEST_ENTER";
    // A kernel that others call has no sizes for the arguments that they pass.
    const bool called = called_.contains(kernel.getCanonicalDecl());
    for (unsigned i = 0; i < kernel.getNumParams(); ++i) {
      const clang::ParmVarDecl& parameter = *kernel.getParamDecl(i);
      if (!parameter.getType()->isPointerType())
        continue;
      const Bounds bounds = Pointers::parameter(i);
      text += called ? fmt::format(" const ulong {} = 0, {} = ~0ul;", bounds.low, bounds.size)
                     : fmt::format(" const ulong {} = (ulong){}, {} = GPUTEST_SIZE({});",
                                   bounds.low, parameter.getNameAsString(), bounds.size, i);
    }
    return text;
  }

  void list_kernels() {
    for (const clang::FunctionDecl* kernel : tree_.kernels()) {
      model::MutatedKernel entry{.name = kernel->getNameAsString(), .functions = {}};
      for (const clang::FunctionDecl* function : reachable_from(tree_, *kernel))
        if (!frontend::is_wrapper(*function))
          entry.functions.push_back(function->getNameAsString());
      table_.kernels.push_back(std::move(entry));
    }
  }

  void list_mutants(MutantVariant& variant) {
    frontend::StableIds ids;
    const OnChipWrites writes(tree_);
    for (const Merged& one : proposals_) {
      const Proposal& proposal = one.proposal;
      model::Mutant mutant = listed(tree_, proposal, one.operators,
                                    one.function ? one.function->getNameAsString() : "", ids);
      mutant.weakens_assignment = weakens_assignment(proposal);
      mutant.weakens_local_write = writes.weakens(proposal);
      if (proposal.manner == Manner::Program) {
        mutant.kind = model::MutantKind::Program;
        mutant.program = "mutant-" + mutant.id + ".cl";
      } else {
        const auto& [number, site] = numbers_.at(&proposal);
        mutant.number = number;
        mutant.site = site;
      }
      variant.changes[mutant.id] = text_changes(proposal);
      table_.mutants.push_back(std::move(mutant));
    }
  }

  const frontend::Tree& tree_;
  std::set<const clang::FunctionDecl*> reached_;
  OfNoKernel others_;
  model::MutantTable table_;
  std::vector<Merged> proposals_;
  Renderer::Sites sites_;
  struct Number {
    unsigned number, site;
  };
  std::map<const Proposal*, Number> numbers_;
  std::set<const clang::FunctionDecl*> called_;
};

} // namespace

MutantVariant mutate(const frontend::Tree& tree, const std::string& source_name) {
  if (!model::row_of(tree.language()).has_context) {
    CudaMutants made = mutate_cuda(tree, source_name, "");
    return {.text = std::move(made.device),
            .original = tree.source().text,
            .table = std::move(made.table),
            .changes = std::move(made.changes),
            .same_launches = {}};
  }
  return Mutator(tree, source_name).run();
}

std::string mutate_sites(const frontend::Tree& tree, const std::string& source_name,
                         const std::function<bool(unsigned)>& is_wanted) {
  if (!model::row_of(tree.language()).has_context)
    return mutate_cuda(tree, source_name, "", is_wanted).device;
  return Mutator(tree, source_name).with_sites(is_wanted);
}

Differences differences(const frontend::Tree& tree, const std::string& source_name,
                        const std::function<bool(unsigned)>& is_wanted) {
  if (!model::row_of(tree.language()).has_context)
    return cuda_differences(tree, source_name, is_wanted);
  return Mutator(tree, source_name).with_differences(is_wanted);
}

GuardedOriginal guarded_original(const frontend::Tree& tree, const std::string& source_name) {
  return Mutator(tree, source_name).without_mutants();
}

std::string guarded(const frontend::Tree& tree, const model::MutantTable& table,
                    bool synchronisation) {
  if (!model::row_of(tree.language()).has_guards)
    return tree.source().text;
  return Mutator(tree, table.source).alone(table, synchronisation);
}

} // namespace gputest::passes::mutation
