// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/coverage/sites.h"

#include "frontend/stable_ids.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace gputest::passes {
namespace {

std::vector<std::string> names_of(const model::Site& site) {
  std::vector<std::string> names;
  for (const model::Outcome& outcome : site.outcomes)
    names.push_back(outcome.name);
  return names;
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
  function_ = frontend::name_of_function(function);
  first_site_ = table_.sites.size();
}

void SiteBook::add_instance(const model::Instance& instance, const std::vector<Range>& without) {
  for (std::size_t site = first_site_; site < table_.sites.size(); ++site)
    if (std::ranges::none_of(without, [&](const Range& range) {
          return range.first <= positions_[site] && positions_[site] < range.second;
        }))
      table_.sites[site].instances.push_back(instance);
}

std::size_t SiteBook::add(model::Criterion criterion, std::string kind, unsigned begin,
                          unsigned end, std::vector<model::Outcome> outcomes) {
  const frontend::Excerpt excerpt = tree_.source().excerpt(begin, end);
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
  const std::size_t site = table_.sites.size() - 1;
  if (dead_ > 0)
    leave_out(site, names_of(table_.sites[site]), dead_reason_);
  return site;
}

std::set<unsigned> SiteBook::outcome_bits() const {
  std::set<unsigned> bits;
  for (const model::Site& site : table_.sites)
    for (const model::Outcome& outcome : site.outcomes)
      bits.insert(outcome.bit);
  return bits;
}

void SiteBook::enter_dead(const std::string& reason) {
  if (dead_++ == 0)
    dead_reason_ = reason;
}

void SiteBook::leave_out(std::size_t site, const std::vector<std::string>& outcomes,
                         const std::string& reason) {
  model::Site& one = table_.sites[site];
  model::NotCounted entry{.criterion = one.criterion,
                          .file = one.file,
                          .line = one.line,
                          .column = one.column,
                          .function = one.function,
                          .text = one.text,
                          .outcomes = {},
                          .reason = reason};
  std::erase_if(one.outcomes, [&](const model::Outcome& outcome) {
    if (std::ranges::find(outcomes, outcome.name) == outcomes.end())
      return false;
    entry.outcomes.push_back(outcome.name);
    return true;
  });
  if (!entry.outcomes.empty())
    not_counted_[site].push_back(std::move(entry));
}

void SiteBook::not_instrumented(clang::SourceRange range, std::string construct,
                                std::string reason) {
  table_.not_instrumented.push_back(
      tree_.unhandled(range, function_, std::move(construct), std::move(reason)));
}

model::SiteTable SiteBook::finish(const std::vector<model::IgnoreComment>& comments) {
  for (std::size_t i = 0; i < table_.sites.size(); ++i)
    for (const model::IgnoreComment& comment : comments) {
      const model::Site& site = table_.sites[i];
      if (comment.covers(site.file, site.line) && comment.ignores(site.criterion))
        leave_out(i, names_of(site), "ignored: " + comment.reason);
    }

  std::vector<std::size_t> order(table_.sites.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return positions_[i]; });

  std::vector<model::Site> sites;
  ids_.resize(order.size());
  frontend::StableIds ids;
  for (const std::size_t i : order) {
    model::Site& site = table_.sites[i];
    site.id = ids.next(fmt::format("{}.{}.{:08x}", site.function, name_of(site.criterion),
                                   model::stable_hash<std::uint32_t>(site.kind + ' ' + site.text)));
    ids_[i] = site.id;
    if (const auto left_out = not_counted_.find(i); left_out != not_counted_.end())
      std::ranges::move(left_out->second, std::back_inserter(table_.not_counted));
    if (!site.outcomes.empty())
      sites.push_back(std::move(site));
  }
  table_.sites = std::move(sites);
  table_.coverage_words = words();
  return std::move(table_);
}

} // namespace gputest::passes
