// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/cuda_text.h"

#include "frontend/cuda/unconstructed.h"

#include <clang/AST/Decl.h>

#include <algorithm>
#include <fmt/format.h>

namespace gputest::passes::mutation {
namespace {

class Composer {
public:
  Composer(const frontend::Tree& tree, const std::vector<CudaSite>& sites,
           const std::vector<CudaInsertion>& insertions)
      : tree_(tree), source_(tree.source()), sites_(sites), insertions_(insertions) {}

  std::string run(frontend::Edits edits) {
    while (next_ < sites_.size()) {
      const CudaSite& site = sites_[next_++];
      insert_until(site.begin, edits);
      edits.replace(site.begin, site.end, rendered(site));
    }
    insert_until(static_cast<unsigned>(source_.text.size()), edits);
    return edits.apply(source_.text);
  }

private:
  void insert_until(unsigned end, frontend::Edits& edits) {
    for (; inserted_ < insertions_.size() && insertions_[inserted_].at <= end; ++inserted_)
      edits.before(insertions_[inserted_].at, insertions_[inserted_].text);
  }

  // The text with the insertions before `until`.
  std::string plain(unsigned begin, unsigned end, unsigned until) {
    std::string text;
    for (; inserted_ < insertions_.size() && insertions_[inserted_].at < until; ++inserted_) {
      const auto& [at, inserted] = insertions_[inserted_];
      text += source_.text.substr(begin, at - begin) + inserted;
      begin = at;
    }
    return text + source_.text.substr(begin, end - begin);
  }

  // The text with those sites from `next_` on that lie in it.
  std::string between(unsigned begin, unsigned end) {
    std::string text;
    unsigned at = begin;
    while (next_ < sites_.size() && sites_[next_].begin < end) {
      const CudaSite& site = sites_[next_++];
      text += plain(at, site.begin, site.begin + 1);
      text += rendered(site);
      at = site.end;
    }
    return text + plain(at, end, end);
  }

  std::string rendered(const CudaSite& site) {
    const std::string original = between(site.begin, site.end);
    const CudaMutant& first = site.mutants.front();
    const std::string any =
        fmt::format("gputest_any({}, {}, {})", site.index, first.number, site.mutants.size());
    switch (kind_of(first.proposal.manner)) {
    case SiteKind::Expression:
      return fmt::format("({} ? {} : ({}))", any, expressions(site, 0), original);
    case SiteKind::Statement:
      return fmt::format("{{ if ({}) {} else {} }}", any, statements(site, 0), original);
    case SiteKind::Share:
      return shared(site, any);
    }
    return original;
  }

  std::string expressions(const CudaSite& site, std::size_t from) const {
    const std::string mutant = "(" + changed(site, site.mutants[from]) + ")";
    if (from + 1 == site.mutants.size())
      return mutant;
    return fmt::format("gputest_is({}) ? {} : {}", site.mutants[from].number, mutant,
                       expressions(site, from + 1));
  }

  std::string statements(const CudaSite& site, std::size_t from) const {
    const std::string mutant = "{ " + changed(site, site.mutants[from]) + " }";
    if (from + 1 == site.mutants.size())
      return mutant;
    return fmt::format("if (gputest_is({})) {} else {}", site.mutants[from].number, mutant,
                       statements(site, from + 1));
  }

  // The variables under other names, copies of the thread's own, and references with the original
  // names.
  std::string shared(const CudaSite& site, const std::string& any) {
    const auto& declaration = llvm::cast<clang::DeclStmt>(*site.mutants.front().proposal.node);
    std::string text, after;
    unsigned at = site.begin;
    for (const clang::Decl* declared : declaration.decls()) {
      const auto& variable = llvm::cast<clang::VarDecl>(*declared);
      const std::string name = variable.getNameAsString();
      const std::string object = std::string(frontend::cuda::kSharedObject) + name;
      const unsigned place = tree_.offset(variable.getLocation());
      text += source_.text.substr(at, place - at) + object;
      at = place + static_cast<unsigned>(name.size());
      after +=
          fmt::format(" decltype({2}) gputest_own_{0}; auto& {0} = {1} ? gputest_own_{0} : {2};",
                      name, any, object);
    }
    return text + source_.text.substr(at, site.end - at) + after;
  }

  std::string changed(const CudaSite& site, const CudaMutant& mutant) const {
    std::string text;
    unsigned at = site.begin;
    for (const TextChange& change : mutant.changes) {
      text += in_one_line(source_, at, change.begin, insertions_) + " " + change.text + " ";
      at = change.end;
    }
    return text + in_one_line(source_, at, site.end, insertions_);
  }

  const frontend::Tree& tree_;
  const frontend::FlatSource& source_;
  const std::vector<CudaSite>& sites_;
  const std::vector<CudaInsertion>& insertions_;
  std::size_t next_ = 0, inserted_ = 0;
};

} // namespace

SiteKind kind_of(Manner manner) {
  switch (manner) {
  case Manner::Expression:
    return SiteKind::Expression;
  case Manner::Share:
    return SiteKind::Share;
  default:
    return SiteKind::Statement;
  }
}

std::string in_one_line(const frontend::FlatSource& source, unsigned begin, unsigned end,
                        std::span<const CudaInsertion> insertions) {
  std::string text;
  auto next = std::ranges::upper_bound(insertions, begin, {}, &CudaInsertion::at);
  for (std::size_t i = source.token_at_or_after(begin);
       i < source.tokens.size() && source.tokens[i].begin < end; ++i) {
    const frontend::FlatToken& token = source.tokens[i];
    bool apart = token.leading_space && !text.empty();
    for (; next != insertions.end() && next->at <= token.begin; ++next, apart = true)
      text += " " + next->text;
    text += (apart ? " " : "") + source.text.substr(token.begin, token.end - token.begin);
  }
  return text;
}

std::string text_with_mutants(const frontend::Tree& tree, const std::vector<CudaSite>& sites,
                              const std::vector<CudaInsertion>& insertions,
                              const frontend::Edits& edits) {
  return Composer(tree, sites, insertions).run(edits);
}

} // namespace gputest::passes::mutation
