// Results of mutation testing, built in code.
#pragma once

#include "model/mutation/mutation.h"

#include <string>

namespace gputest::tests {

// A switched mutant of `k` in `k.cl`, `text` -> `replacement` at a 1-based line and byte column.
inline model::MutantResult result(const std::string& id, model::Verdict verdict, unsigned line = 1,
                                  unsigned column = 1, const std::string& text = "<",
                                  const std::string& replacement = "<=") {
  model::MutantResult result;
  result.mutant.id = id;
  result.mutant.operators = {"relational_replacement"};
  result.mutant.number = 1;
  result.mutant.function = "k";
  result.mutant.file = "k.cl";
  result.mutant.line = result.mutant.end_line = line;
  result.mutant.column = column;
  result.mutant.end_column = column + static_cast<unsigned>(text.size());
  result.mutant.text = text;
  result.mutant.replacement = replacement;
  result.verdict = verdict;
  return result;
}

inline model::Mutation mutation_of(std::vector<model::MutantResult> results,
                                   const std::string& source = "") {
  model::Mutation mutation;
  mutation.name = mutation.kernel = "k";
  mutation.device = "device";
  mutation.source = "k.cl";
  if (!source.empty())
    mutation.sources["k.cl"] = source;
  mutation.population = results.size();
  mutation.results = std::move(results);
  return mutation;
}

} // namespace gputest::tests
