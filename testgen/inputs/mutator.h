// New inputs: from nothing, and from others. Values are typed, and drawn from what kernels are
// likely to ask about: the launch's sizes, the source's constants, small and extreme numbers.
#pragma once

#include "testgen/inputs/constraints.h"
#include "testgen/inputs/features.h"
#include "testgen/inputs/input.h"
#include "testgen/inputs/random.h"
#include "testgen/target.h"

#include <optional>
#include <span>
#include <vector>

namespace gputest::testgen {

class Mutator {
public:
  Mutator(const Target& target, const Constraints& constraints, std::uint64_t seed);

  // Launches (shapes.h); where the constraints have some, these.
  const std::vector<Shape>& shapes() const { return shapes_; }

  // An input for this launch. Integer scalars have sizes of the launch where `sized`.
  Input fresh(const Shape& shape, bool sized);
  // The same with integer scalars from 0 to twice the launch's sizes: what people would give it.
  Input plain(const Shape& shape);
  // With integer scalars that do not fit the launch: the numbers shapes.h has, from `number` on.
  Input ragged(const Shape& shape, std::size_t number);
  // With integer scalars that hang together with each other and with the launch: its sizes, twice
  // and half of them, their logarithms, tiles of the source's constants, one like another.
  Input tied(const Shape& shape);
  // One or two of these changed, and at times the number of groups, to that of `shape`.
  Input retied(const Input& input, const Shape& shape);
  // A few changes; `other` lends values.
  Input mutated(const Input& input, const Input& other);

  // What sizes buffers and __local memory have where the constraints say nothing, by position.
  std::vector<std::optional<Formula>> sizes;
  // Gives memory the size that constraints or `sizes` say; where neither does, one element for each
  // work-item, or what it has if `keep`.
  void set_sizes(Input& input, bool keep);
  // `elements` of an argument; new ones are filled. False: they are more than an input may have.
  bool resize(Input& input, std::size_t position, std::size_t elements);

  // After a launch that did not end: large integers, which loops count to, come more seldom.
  void be_careful() { ++caution_; }

  Random& random() { return random_; }

private:
  std::int64_t integer(const Shape& shape, model::Scalar scalar);
  std::int64_t tied_integer(const Shape& shape, std::span<const std::int64_t> others);
  double real();
  void draw(std::byte* to, model::Scalar scalar, const Shape& shape, const Domain* domain);
  void fill(Input& input, std::size_t position, std::size_t from = 0);
  void change_shape(Input& input);
  void change_content(Input& input, std::size_t position);
  void change_elements(Input& input, std::size_t position);
  void set_image(Input& input, std::size_t position);

  const Target& target_;
  const Constraints& constraints_;
  Features features_;
  Random random_;
  std::vector<Shape> shapes_;
  std::size_t caution_ = 0;
};

} // namespace gputest::testgen
