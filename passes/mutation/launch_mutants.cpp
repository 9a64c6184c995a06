#include "passes/mutation/launch_mutants.h"

#include "passes/mutation/dimensions.h"

#include <clang/AST/Decl.h>

#include <fmt/format.h>

namespace gputest::passes::mutation {
namespace {

struct Change {
  const char* operator_name;
  const char* replacement;
  int more_items, more_groups;
};

constexpr Change kChanges[] = {{"alloc_increment", "local size + 1", 1, 0},
                               {"alloc_increment", "number of groups + 1", 0, 1},
                               {"alloc_decrement", "local size - 1", -1, 0},
                               {"alloc_decrement", "number of groups - 1", 0, -1}};

} // namespace

std::vector<model::Mutant> launch_mutants(const Tree& tree) {
  std::vector<model::Mutant> result;
  for (const clang::FunctionDecl* kernel : tree.kernels()) {
    const std::string name = kernel->getNameAsString();
    const Excerpt place = tree.excerpt(clang::SourceRange(kernel->getLocation()));
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
    add("swap", "alloc_swap", "launched with local size and number of groups exchanged");
    result.back().swapped = true;
    const unsigned dimensions = dimensions_of(tree, *kernel);
    for (unsigned dimension = 0; dimension < dimensions; ++dimension)
      for (const Change& change : kChanges) {
        add(fmt::format("{}{}.{}", change.more_items != 0 ? "items" : "groups",
                        change.more_items + change.more_groups > 0 ? "+1" : "-1", dimension),
            change.operator_name,
            fmt::format("launched with {} in dimension {}", change.replacement, dimension));
        result.back().dimension = dimension;
        result.back().more_items = change.more_items;
        result.back().more_groups = change.more_groups;
      }
  }
  return result;
}

} // namespace gputest::passes::mutation
