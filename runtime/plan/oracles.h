// Whoever knows what a kernel should compute: the author's REFERENCE and PROPERTY.
#pragma once

#include "runtime/cases/bound_case.h"
#include "runtime/plan/description.h"

#include <functional>
#include <string>
#include <vector>

namespace gputest::runtime {

using Reference = std::function<void(const ReferenceCall&)>;
using Property = std::function<void(const PropertyCall&)>;

struct Oracles {
  Reference reference{};
  Property property{};

  explicit operator bool() const { return reference || property; }
};

Oracles oracles_of(const KernelDescription& description);

// What messages call them, and who is to blame while they run.
inline constexpr const char* kReference = "the reference function";
inline constexpr const char* kProperty = "the property";

struct Objection {
  std::string argument; // the first output that is not as expected
  std::string message;
};

// What the reference says of each output that the launch left, one each; none: all are as
// expected. Throws what the function throws.
std::vector<Objection> compare_with_reference(const Reference& reference, const BoundCase& initial,
                                              const BoundCase& computed);

// What the property says of the launch: "the property does not hold: …"; empty: it holds. Buffers
// that are not read back are as they were before.
std::string wrong_with(const Property& property, const BoundCase& initial,
                       const BoundCase& computed);

} // namespace gputest::runtime
