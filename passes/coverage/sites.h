// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The book of coverage sites gives out outcome bits, names sites, and says where they are.
#pragma once

#include "frontend/ignore_comments.h"
#include "frontend/parse.h"
#include "model/sites.h"

#include <map>
#include <set>

namespace gputest::passes {

// An outcome's place in the context's words.
struct Bit {
  unsigned index = 0;
  unsigned word() const { return index / 32; }
  unsigned shift() const { return index % 32; }
  std::string mask() const; // "0x10u"
  Bit next(unsigned distance = 1) const { return {index + distance}; }
};

class SiteBook {
public:
  SiteBook(const frontend::Tree& tree, std::string source_name) : tree_(tree) {
    table_.source = std::move(source_name);
  }

  // Adjacent bits in one word.
  Bit bits(unsigned count);
  // The next bits begin a new word.
  void begin_word() { next_ = (next_ + 31) / 32 * 32; }
  unsigned words() const { return std::max(1u, (next_ + 31) / 32); }

  // Ids count the sites of a function. Sites belong to the function that was entered last.
  void enter(const clang::FunctionDecl& function);

  // Adds a site with the text from `begin` to `end`. Returns its number, for id().
  std::size_t add(model::Criterion criterion, std::string kind, unsigned begin, unsigned end,
                  std::vector<model::Outcome> outcomes);
  // Outcomes that do not count: those of one site, and those of all sites added between
  // enter_dead() and leave_dead().
  void enter_dead(const std::string& reason);
  void leave_dead() { --dead_; }
  void leave_out(std::size_t site, const std::vector<std::string>& outcomes,
                 const std::string& reason);
  void not_instrumented(clang::SourceRange range, std::string construct, std::string reason);

  // Reserves `count` words, from the next full word on.
  void add_words(unsigned count) { next_ = (next_ + 31) / 32 * 32 + 32 * count; }
  // Adds an instance of a template to all sites of the function that was entered last, except for
  // sites that begin in one of the ranges, which the instance does not have.
  using Range = std::pair<unsigned, unsigned>;
  void add_instance(const model::Instance& instance, const std::vector<Range>& without);

  // The bits of all outcomes that count so far.
  std::set<unsigned> outcome_bits() const;

  model::SiteTable& table() { return table_; }

  // Returns the sites in order of position, with ids. Outcomes that a comment leaves out do not
  // count, and a site without outcomes that count is dropped.
  model::SiteTable finish(const std::vector<model::IgnoreComment>& comments);
  // After finish().
  const std::string& id(std::size_t site) const { return ids_[site]; }

private:
  const frontend::Tree& tree_;
  model::SiteTable table_;
  std::string function_;
  std::size_t first_site_ = 0; // of the function
  unsigned next_ = 0;
  unsigned dead_ = 0; // depth
  std::string dead_reason_;
  std::map<std::size_t, std::vector<model::NotCounted>> not_counted_; // by site
  std::vector<unsigned> positions_; // of the sites, in the flat text
  std::vector<std::string> ids_;    // of the sites, as they were added
};

} // namespace gputest::passes
