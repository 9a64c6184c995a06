#include "passes/coverage_sites.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace gputest::passes {
namespace {

// FNV-1a: ids must be the same on every machine and in every version.
std::uint32_t hash_of(std::string_view text) {
  std::uint32_t hash = 2166136261u;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 16777619u;
  }
  return hash;
}

} // namespace

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
  const Excerpt excerpt = tree_.excerpt(range);
  table_.not_instrumented.push_back({.file = excerpt.file,
                                     .line = excerpt.line,
                                     .column = excerpt.column,
                                     .function = function_,
                                     .construct = std::move(construct),
                                     .reason = std::move(reason)});
}

model::SiteTable SiteBook::finish() {
  std::vector<std::size_t> order(table_.sites.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return positions_[i]; });

  std::vector<model::Site> sites;
  ids_.resize(order.size());
  std::map<std::string, unsigned> seen;
  for (const std::size_t i : order) {
    model::Site& site = table_.sites[i];
    site.id = fmt::format("{}.{}.{:08x}", site.function, name_of(site.criterion),
                          hash_of(site.kind + ' ' + site.text));
    if (const unsigned count = ++seen[site.id]; count > 1)
      site.id += fmt::format(".{}", count);
    ids_[i] = site.id;
    sites.push_back(std::move(site));
  }
  table_.sites = std::move(sites);
  table_.coverage_words = words();
  return std::move(table_);
}

} // namespace gputest::passes
