// The book of coverage sites: gives out outcome bits, names sites, says where they are.
#pragma once

#include "frontend/parse.h"
#include "model/sites.h"

#include <map>

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
  SiteBook(const Tree& tree, std::string source_name) : tree_(tree) {
    table_.source = std::move(source_name);
  }

  // Adjacent bits in one word.
  Bit bits(unsigned count);
  unsigned words() const { return std::max(1u, (next_ + 31) / 32); }

  // Functions between whose sites ids are counted; sites belong to the latest one.
  void enter(const clang::FunctionDecl& function);

  // From `begin` to `end` is what the site's text shows. Returns the site's number, for id().
  std::size_t add(model::Criterion criterion, std::string kind, unsigned begin, unsigned end,
                  std::vector<model::Outcome> outcomes);
  void not_instrumented(clang::SourceRange range, std::string construct, std::string reason);

  model::SiteTable& table() { return table_; }

  // Sites in order of position, ids given.
  model::SiteTable finish();
  // After finish().
  const std::string& id(std::size_t site) const { return ids_[site]; }

private:
  const Tree& tree_;
  model::SiteTable table_;
  std::string function_;
  unsigned next_ = 0;
  std::vector<unsigned> positions_; // of the sites, in the flat text
  std::vector<std::string> ids_;    // of the sites, as they were added
};

} // namespace gputest::passes
