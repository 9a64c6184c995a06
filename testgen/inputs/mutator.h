// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes new inputs, from nothing and from other inputs. Values are drawn by type from those that
// kernels are likely to test for: the launch's sizes, the source's constants, small and extreme
// numbers.
#pragma once

#include "testgen/inputs/constraints.h"
#include "testgen/inputs/features.h"
#include "testgen/inputs/input.h"
#include "testgen/inputs/random.h"
#include "testgen/inputs/repair.h"
#include "testgen/inputs/target.h"

#include <optional>
#include <span>
#include <vector>

namespace gputest::testgen {

class Mutator {
public:
  Mutator(const Target& target, const Constraints& constraints, std::uint64_t seed);

  // The launches to choose from: those of the constraints, or else those of shapes.h.
  const std::vector<Shape>& shapes() const { return shapes_; }

  // Returns a new input for this launch. `sized`: integer scalars are sizes of the launch.
  Input fresh(const Shape& shape, bool sized);
  // Returns a typical input: integer scalars are between 0 and twice the launch's sizes.
  Input plain(const Shape& shape);
  // Returns an input whose integer scalars do not fit the launch: those of ragged_sizes()
  // (shapes.h), from the one at `number` on.
  Input ragged(const Shape& shape, std::size_t number);
  // Returns an input whose integer scalars are related to the launch and to each other: sizes,
  // twice and half of them, their logarithms, multiples of the source's constants, equal scalars.
  Input tied(const Shape& shape);
  // Changes one or two such scalars of `input`, and at times the number of groups to that of
  // `shape`.
  Input retied(const Input& input, const Shape& shape);
  // Returns `input` with a few changes. Some values come from `other`.
  Input mutated(const Input& input, const Input& other);

  // Changes the input until the requirements hold, as all of the above do (repair.h), and returns
  // whether they do. `draws`: with random numbers, else with the nearest ones.
  bool obey(Input& input, bool draws);

  // By position: the sizes of buffers and __local memory that have no constraint.
  std::vector<std::optional<Formula>> sizes;
  // Gives memory the size of its constraint, or else of `sizes`. Memory with neither gets one
  // element for each work-item, or with `keep` stays as it is. A null pointer stays one.
  void set_sizes(Input& input, bool keep);
  // Resizes an argument to `elements`, at least one, and fills new ones. Returns false, with
  // nothing changed, for more than kMostBytes and for null pointers.
  bool resize(Input& input, std::size_t position, std::size_t elements);

  // Makes a buffer a null pointer, or gives it memory.
  void set_null(Input& input, std::size_t position, bool is_null);

  // Makes large integers rarer, because loops may count to them. To be called after a launch that
  // did not end.
  void be_careful() { ++caution_; }

  Random& random() { return random_; }

private:
  std::int64_t integer(const Shape& shape, model::Scalar scalar);
  std::int64_t tied_integer(const Shape& shape, std::span<const std::int64_t> others);
  double real();
  void draw(std::byte* to, model::Scalar scalar, const Shape& shape, const Domain* domain);
  void fill(Input& input, std::size_t position, std::size_t from = 0);
  void change_shape(Input& input);
  void draw_offset(Input& input);
  void obey_offset(Input& input);
  void change_content(Input& input, std::size_t position);
  void set_size(Input& input, std::size_t position, bool keep);
  bool obeys(Input& input, bool draws); // without giving memory to null pointers
  void change_elements(Input& input, std::size_t position);
  void set_image(Input& input, std::size_t position);

  const Target& target_;
  const Constraints& constraints_;
  const Repair repair_;
  Features features_;
  Random random_;
  std::vector<Shape> shapes_;
  bool has_offsets_;
  std::vector<std::int64_t> required_numbers_;
  std::size_t caution_ = 0;
};

} // namespace gputest::testgen
