// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves that outcomes of coverage cannot happen.
//
//     Prover prover({.name = "coverage.cl", .text = …}, "k");
//     prover.require(prover.table().make(Op::Equal, 1, prover.number("n"),
//                                        prover.size(Unit::Kind::GlobalSize, 0)));
//     Proof proof = prover.outcome(bit, z3);
//
// Proofs are about coverage.cl, where statements set one bit for each outcome (model/sites.h). An
// outcome is impossible if no statement can set its bit, for any arguments, memory, sizes and
// work-item. Every unknown value is a free variable (statics.h), so a condition that no values
// satisfy is impossible for every input. The converse does not hold: an outcome that is not proved
// impossible is open.
#pragma once

#include "ir/frontend.h"
#include "ir/kernel.h"
#include "testgen/concolic/inputs.h"
#include "testgen/concolic/table.h"
#include "testgen/solve/z3_process.h"

#include <memory>
#include <string>

namespace gputest::testgen {

struct Proof {
  enum class Kind { Impossible, Open };
  Kind kind = Kind::Open;
  // For people. Impossible: why, such as "no values satisfy (n s< 4) && (8 s< n)". Open: when the
  // outcome may happen, or why that is not known.
  std::string reason{};
  bool unknown = false; // Open: Z3 had no answer within its limits
  double z3_seconds = 0;
};

// Seconds are counted in Z3's steps (kStepsOfSecond).
struct ProofLimits {
  double seconds = 1; // limit of each attempt of Z3
  // The limit of Z3's memory.
  unsigned megabytes = 1024;
  bool all_launches = true;     // first tries a proof for all launches, without invariants
  double invariant_seconds = 3; // limit of finding invariants; 0: tries only all launches
  // True: floating-point operations are those of IEEE 754. False: their results are free variables,
  // so a proof also holds for devices that round differently.
  bool floating = true;
  // True: shifts take the amount modulo the width. False: a shift by the width or more may return
  // anything.
  bool shifts = true;
};

class Prover {
public:
  // `coverage`: the text of the coverage pass, without GPUTEST_FLUSH_SLOTS. Throws what the
  // simulator's compiler throws.
  Prover(const ir::Source& coverage, const std::string& kernel);
  Prover(Prover&&) noexcept;
  ~Prover();

  const ir::KernelShape& shape() const;

  // Expressions for conditions on inputs. argument() returns the scalar parameter of that name in
  // its own width. number() returns an integer parameter, extended to 64 bits by its sign. Both
  // return 0 if there is no such parameter.
  Label argument(const std::string& name);
  Label number(const std::string& name);
  Label size(Unit::Kind kind, unsigned dimension); // GlobalSize, LocalSize or GlobalOffset; 64 bits
  Table& table();

  // Adds a condition, 1 bit, that holds for every input. Reasons then speak of values "that are
  // allowed".
  void require(Label condition);

  // Tries to prove that bit `bit` of the state buffer's coverage section is never set. If that
  // fails for all launches, tries launches of fewer than 2^31 work-items in each dimension, with
  // invariants of loops (invariants.h); the reason then says so.
  Proof outcome(unsigned bit, Z3Process& z3, const ProofLimits& limits = {});

  // Finds the invariants now. Otherwise the first outcome() that needs them does, which takes time.
  void find_invariants(Z3Process& z3, const ProofLimits& limits = {});

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace gputest::testgen
