// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The oracles, which know what a kernel should compute: the author's REFERENCE and PROPERTY.
#pragma once

#include "gputest/error.h"
#include "runtime/cases/bound_case.h"
#include "runtime/plan/description.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

// What computes the right outputs from the arguments.
struct Reference {
  std::string name{}; // in messages; while it runs, it is to blame
  // Returns the content of each argument, by position; nullopt: the reference says nothing of it.
  // Throws OracleError.
  std::function<std::vector<std::optional<Bytes>>(const BoundCase& initial)> outputs{};

  explicit operator bool() const { return static_cast<bool>(outputs); }
};

using Property = std::function<void(const PropertyCall&)>;

struct Plan;

struct Oracles {
  Reference reference{};
  Property property{};

  explicit operator bool() const { return reference || property; }
};

// Returns the author's function as a reference. It works on copies.
Reference reference_of(std::function<void(const ReferenceCall&)> function);

// Returns those that the plan's description names: a function or a kernel as reference, and a
// property. Throws UsageError where the reference's arguments are not the kernel's. The plan must
// outlive them.
Oracles oracles_of(const Plan& plan, const KernelDescription& description);

// Their names in messages. While they run, they are to blame.
inline constexpr const char* kReference = "the reference function";
inline constexpr const char* kProperty = "the property";

struct Objection {
  std::string argument; // an output that is not as expected
  std::string message;
};

// An exception of the author's function. what() says which function threw, and what.
class OracleError : public Error {
public:
  using Error::Error;
};

// Returns an objection for each output that is not what the reference computes; none: all are.
// Throws OracleError.
std::vector<Objection> compare_with_reference(const Reference& reference, const BoundCase& initial,
                                              const BoundCase& computed);

// Returns what the property says of the launch: "the property does not hold: …"; empty: it holds.
// Buffers that are not read back count as unchanged.
std::string wrong_with(const Property& property, const BoundCase& initial,
                       const BoundCase& computed);

} // namespace gputest::runtime
