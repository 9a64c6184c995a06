#include "testgen/weak.h"

#include "runtime/cases/scalar.h"

#include <cstring>

namespace gputest::testgen {
namespace {

using simulator::Parameter;

constexpr unsigned kVariations = 4;

// Other values of what the kernel reads from buffers and images, and of floating-point numbers;
// what are sizes and indices stays small. False: there is nothing to change.
bool vary(const Target& target, const Constraints& constraints, unsigned variation, Input& input) {
  bool any = false;
  for (std::size_t i = 0; i < target.arguments.size(); ++i) {
    const KernelArgument& argument = target.arguments[i];
    if (argument.is_integer() || argument.type.size == 0 || constraints.domain(i) ||
        target.interface.arguments[i].access == model::Access::Write)
      continue;
    runtime::Bytes& bytes = input.arguments[i].bytes;
    for (std::size_t at = 0; at + argument.type.size <= bytes.size(); at += argument.type.size)
      for (const model::Leaf& leaf : argument.leaves) {
        std::byte* const to = bytes.data() + at + leaf.offset;
        any = true;
        const std::size_t number = (at / argument.type.size * 7 + variation * 3 + i) % 5 + 1;
        if (model::is_floating(leaf.scalar))
          runtime::store_number(
              leaf.scalar, runtime::read_scalar(leaf.scalar, to) + static_cast<double>(number), to);
        else // at times near what it was: it may be an index
          runtime::store_integer(
              leaf.scalar, variation % 2 == 0 ? number : runtime::read_integer(leaf.scalar, to) + 1,
              to);
      }
  }
  return any;
}

bool same_outputs(const Target& target, const Checked& a, const Checked& b) {
  for (std::size_t i = 0; i < target.arguments.size() && i < a.after.size(); ++i)
    if (target.arguments[i].output && a.after[i] != b.after[i])
      return false;
  return true;
}

} // namespace

bool is_weak(const Target& target, const Input& input, const Checked& checked) {
  for (std::size_t i = 0; i < target.arguments.size(); ++i) {
    const KernelArgument& argument = target.arguments[i];
    if (!argument.output || i >= checked.after.size())
      continue;
    const runtime::Bytes& after = checked.after[i];
    const std::size_t element = argument.type.size;
    if (after == input.arguments[i].bytes)
      continue;
    bool differs = after.size() == element;
    for (std::size_t at = element; at + element <= after.size() && !differs; at += element)
      differs = std::memcmp(after.data(), after.data() + at, element) != 0;
    if (differs)
      return false;
  }
  return true;
}

std::string why_weak(const Target& target, const Constraints& constraints, Worker& worker,
                     const Input& input, const Checked& checked) {
  if (is_weak(target, input, checked))
    return "each output is one value, or is what it was before";
  bool compared = false;
  for (unsigned i = 0; i < kVariations; ++i) {
    Input other = input;
    if (!vary(target, constraints, i, other) || !constraints.hold(target, other))
      continue;
    const Checked changed = worker.check(other);
    if (!changed.valid())
      continue;
    if (!same_outputs(target, checked, changed))
      return {};
    compared = true;
  }
  return compared ? "no value that the kernel reads changes its outputs" : "";
}

} // namespace gputest::testgen
