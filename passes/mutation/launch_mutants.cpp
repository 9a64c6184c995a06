// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/launch_mutants.h"

#include "frontend/walk.h"
#include "passes/dataflow/call_graph.h"
#include "passes/mutation/operators/dimensions.h"
#include "passes/mutation/proposals.h"
#include "passes/nodes.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/StringSet.h>

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gputest::passes::mutation {
namespace {

struct Change {
  const char* operator_name;
  model::ByLanguage<const char*> replacement;
  int more_items, more_groups;
};

constexpr model::ByLanguage<const char*> kExchanged{"local size and number of groups",
                                                    "threads of a block and number of blocks"};
constexpr Change kChanges[] = {
    {"alloc_increment", {"local size + 1", "threads of a block + 1"}, 1, 0},
    {"alloc_increment", {"number of groups + 1", "number of blocks + 1"}, 0, 1},
    {"alloc_decrement", {"local size - 1", "threads of a block - 1"}, -1, 0},
    {"alloc_decrement", {"number of groups - 1", "number of blocks - 1"}, 0, -1}};

bool is_local(clang::QualType type) {
  return type.getAddressSpace() == clang::LangAS::opencl_local ||
         (type->isPointerType() &&
          type->getPointeeType().getAddressSpace() == clang::LangAS::opencl_local);
}

// Only these work-item functions give the same result in any group. Other functions about groups
// are recognised by parts of their names.
bool is_about_groups(llvm::StringRef builtin) {
  static const llvm::StringSet<> kGlobal{"get_global_id", "get_global_size", "get_global_offset",
                                         "get_global_linear_id", "get_work_dim"};
  if (builtin.starts_with("get_"))
    return !kGlobal.contains(builtin) && !builtin.starts_with("get_image_");
  return builtin.contains("group") || builtin.contains("barrier") || builtin.contains("fence") ||
         builtin.starts_with("async_") || builtin.contains("kernel") || builtin.contains("enqueue");
}

bool asks_about_groups(const clang::Stmt& node) {
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&node))
    return !call->getDirectCallee() || is_about_groups(builtin_name(*call));
  const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(&node);
  return declaration && std::ranges::any_of(declaration->decls(), [](const clang::Decl* one) {
           const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
           return variable && is_local(variable->getType());
         });
}

} // namespace

bool knows_no_groups(const frontend::Tree& tree, const clang::FunctionDecl& kernel) {
  // From OpenCL 2.0 on, groups may be smaller than the local size, which other sizes would change.
  if (tree.context().getLangOpts().OpenCLVersion >= 200 ||
      kernel.hasAttr<clang::ReqdWorkGroupSizeAttr>() ||
      std::ranges::any_of(kernel.parameters(), [](const clang::ParmVarDecl* parameter) {
        return is_local(parameter->getType());
      }))
    return false;
  return std::ranges::none_of(reachable_from(tree, kernel), [](const auto* function) {
    return frontend::any_of(*function->getBody(), asks_about_groups);
  });
}

std::vector<model::Mutant> launch_mutants(const frontend::Tree& tree) {
  std::vector<model::Mutant> result;
  std::set<std::string> done; // functions of CUDA may be overloaded
  for (const clang::FunctionDecl* kernel : tree.kernels()) {
    const std::string name = frontend::name_of_function(*kernel);
    if (frontend::is_wrapper(*kernel)) // nobody wrote its launch
      continue;
    if (!done.insert(name).second)
      continue;
    const frontend::Excerpt place = tree.excerpt(clang::SourceRange(kernel->getLocation()));
    model::Mutant mutant;
    mutant.kind = model::MutantKind::Launch;
    mutant.function = name;
    mutant.file = place.file;
    mutant.line = place.line;
    mutant.column = place.column;
    mutant.end_line = place.end_line;
    mutant.end_column = place.end_column;
    mutant.text = name;
    const auto add = [&](const std::string& id, const char* operator_name,
                         std::string replacement) {
      model::Mutant one = mutant;
      one.id = fmt::format("{}.launch.{}", name, id);
      one.operators = {operator_name};
      one.replacement = std::move(replacement);
      result.push_back(std::move(one));
    };
    add("swap", "alloc_swap",
        fmt::format("launched with {} exchanged", kExchanged[tree.language()]));
    result.back().swapped = true;
    const unsigned dimensions = dimensions_of(tree, *kernel);
    for (unsigned dimension = 0; dimension < dimensions; ++dimension)
      for (const Change& change : kChanges) {
        add(fmt::format("{}{}.{}", change.more_items != 0 ? "items" : "groups",
                        change.more_items + change.more_groups > 0 ? "+1" : "-1", dimension),
            change.operator_name,
            fmt::format("launched with {} in dimension {}", change.replacement[tree.language()],
                        dimension));
        result.back().dimension = dimension;
        result.back().more_items = change.more_items;
        result.back().more_groups = change.more_groups;
      }
  }
  return result;
}

} // namespace gputest::passes::mutation
