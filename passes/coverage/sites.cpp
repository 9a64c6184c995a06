#include "passes/coverage/sites.h"

#include "frontend/stable_ids.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace gputest::passes {
std::string Bit::mask() const {
  return fmt::format("{:#x}u", 1u << shift());
}

Bit SiteBook::bits(unsigned count) {
  if (next_ % 32 + count > 32)
    next_ += 32 - next_ % 32;
  const Bit first{next_};
  next_ += count;
  return first;
}

void SiteBook::enter(const clang::FunctionDecl& function) {
  function_ = function.getNameAsString();
}

std::size_t SiteBook::add(model::Criterion criterion, std::string kind, unsigned begin,
                          unsigned end, std::vector<model::Outcome> outcomes) {
  const Excerpt excerpt = tree_.source().excerpt(begin, end);
  positions_.push_back(begin);
  table_.sites.push_back({.id = {},
                          .criterion = criterion,
                          .kind = std::move(kind),
                          .function = function_,
                          .file = excerpt.file,
                          .line = excerpt.line,
                          .column = excerpt.column,
                          .end_line = excerpt.end_line,
                          .end_column = excerpt.end_column,
                          .text = excerpt.text,
                          .outcomes = std::move(outcomes)});
  return table_.sites.size() - 1;
}

void SiteBook::not_instrumented(clang::SourceRange range, std::string construct,
                                std::string reason) {
  table_.not_instrumented.push_back(
      tree_.unhandled(range, function_, std::move(construct), std::move(reason)));
}

model::SiteTable SiteBook::finish() {
  std::vector<std::size_t> order(table_.sites.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return positions_[i]; });

  std::vector<model::Site> sites;
  ids_.resize(order.size());
  StableIds ids;
  for (const std::size_t i : order) {
    model::Site& site = table_.sites[i];
    site.id = ids.next(fmt::format("{}.{}.{:08x}", site.function, name_of(site.criterion),
                                   stable_hash<std::uint32_t>(site.kind + ' ' + site.text)));
    ids_[i] = site.id;
    sites.push_back(std::move(site));
  }
  table_.sites = std::move(sites);
  table_.coverage_words = words();
  return std::move(table_);
}

} // namespace gputest::passes
