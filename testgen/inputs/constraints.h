// What a person says about a kernel's inputs. Every generated input obeys it.
#pragma once

#include "testgen/inputs/expression.h"
#include "testgen/inputs/input.h"
#include "testgen/target.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gputest::testgen {

// What each scalar of a value or of an element may be.
struct Domain {
  std::optional<double> low{}, high{}; // both included
  std::vector<double> values{};        // no others; empty: any
};

class Constraints {
public:
  // As ARGUMENTS of gputest_add_kernel(): "n=range(1,256)", "mode=values(0,1,4)",
  // "data:size=n*m,range(0,1)". What such a text says of a case that gives no value ("n=4",
  // "data:size=64,fill=iota") is no constraint. Throws ExpressionError naming the text, for names
  // that the kernel does not have and for what does not fit the argument.
  void add_argument(const Target& target, const std::string& text);

  // A predicate: not 0 for every input. `size(data) == n` says the size of data, where no argument
  // does. Throws ExpressionError.
  void add_requirement(const Target& target, const std::string& text);

  std::vector<Shape> shapes; // launches have one of these; empty: any

  const Domain* domain(std::size_t position) const;
  // Elements of a buffer or of __local memory; nullopt: nothing is said, or it has no value here,
  // or one below 0 or above what any buffer has.
  std::optional<std::size_t> size(const Target& target, const Input& input,
                                  std::size_t position) const;
  bool has_size(std::size_t position) const { return sizes_.contains(position); }
  bool empty() const { return domains_.empty() && requirements_.empty(); } // but for sizes
  bool has_requirements() const { return !requirements_.empty(); }
  const std::vector<Expression>& requirements() const { return requirements_; }
  // Whether values are in their domains, sizes are those that are said, and requirements hold.
  bool hold(const Target& target, const Input& input) const;

private:
  bool depends_on_itself(const Target& target, std::size_t position) const; // a size

  std::map<std::size_t, Domain> domains_; // by position
  std::map<std::size_t, Expression> sizes_;
  std::vector<Expression> requirements_;
};

} // namespace gputest::testgen
