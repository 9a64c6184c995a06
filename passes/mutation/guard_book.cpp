// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/guard_book.h"

#include <algorithm>

namespace gputest::passes::mutation {

GuardBook::GuardBook(const frontend::Tree& tree, const model::MutantTable& known)
    : tree_(tree), known_(&known) {}

model::Guard GuardBook::guard(const clang::Stmt& node, const std::string& function) const {
  const frontend::Excerpt excerpt = tree_.excerpt(node.getSourceRange());
  return {.function = function,
          .file = excerpt.file,
          .line = excerpt.line,
          .column = excerpt.column,
          .text = excerpt.text};
}

unsigned GuardBook::number(const clang::Stmt& node, const std::string& function) {
  if (known_) {
    const auto found = std::ranges::find(known_->guards, guard(node, function));
    return found == known_->guards.end()
               ? 0
               : static_cast<unsigned>(found - known_->guards.begin()) + 1;
  }
  const auto [entry, is_new] =
      numbers_.try_emplace(&node, static_cast<unsigned>(guards.size()) + 1);
  if (is_new)
    guards.push_back(guard(node, function));
  return entry->second;
}

unsigned GuardBook::vote(const Decision& decision, std::size_t index) {
  if (!known_)
    return static_cast<unsigned>(index);
  const frontend::Excerpt excerpt = tree_.excerpt(decision.condition->getSourceRange());
  for (std::size_t i = 0; i < known_->votes.size(); ++i)
    if (known_->votes[i].file == excerpt.file && known_->votes[i].line == excerpt.line &&
        known_->votes[i].column == excerpt.column)
      return static_cast<unsigned>(i);
  return static_cast<unsigned>(known_->votes.size()); // one that the table does not have
}

} // namespace gputest::passes::mutation
