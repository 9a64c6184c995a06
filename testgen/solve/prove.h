// Proofs that outcomes of coverage cannot happen.
//
//     Prover prover({.name = "coverage.cl", .text = …}, "k");
//     prover.require(prover.table().make(Op::Equal, 1, prover.number("n"),
//                                        prover.size(Unit::Kind::GlobalSize, 0)));
//     Proof proof = prover.outcome(bit, z3);
//
// What is looked at is coverage.cl, because there each outcome is one bit (model/sites.h), which
// statements set: an outcome is impossible when none of them can run with the bit set, whatever
// arguments, memory, sizes and work-items are. All ways there are known, because every value that
// is not known is a variable (statics.h); what no values satisfy is impossible for every input. The
// other way round nothing follows: open is what is not proved.
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
  // Impossible: why, for people: "no values satisfy (n s< 4) && (8 s< n)". Open: what may happen,
  // or why it cannot be said.
  std::string reason{};
  bool unknown = false; // Open: Z3 had no answer within its limits
  double z3_seconds = 0;
};

struct ProofLimits {
  double seconds = 1; // of each of Z3's attempts
  unsigned megabytes = 1024;
  bool all_launches = true;     // are tried first, without what is found to hold in loops
  double invariant_seconds = 3; // of finding out what holds in loops; 0: only those are tried
  // Floating-point operations are IEEE 754's. Otherwise anything may come of them, so that a proof
  // holds for devices that round in other ways.
  bool floating = true;
  // Shifts take the amount modulo the width. Otherwise anything may come of shifts by too much.
  bool shifts = true;
};

class Prover {
public:
  // `coverage`: what the coverage pass wrote, without GPUTEST_FLUSH_SLOTS. Throws what the
  // simulator's compiler throws.
  Prover(const simulator::Source& coverage, const std::string& kernel);
  Prover(Prover&&) noexcept;
  ~Prover();

  const simulator::KernelShape& shape() const;

  // Expressions for what is required of inputs. The scalar parameter of that name as it is, and an
  // integer with 64 bits, extended as its type says; 0: there is none.
  Label argument(const std::string& name);
  Label number(const std::string& name);
  Label size(Unit::Kind kind, unsigned dimension); // GlobalSize, LocalSize, GlobalOffset; 64 bits
  Table& table();

  // Holds for every input: 1 bit. A reason then says that it is under this condition.
  void require(Label condition);

  // Bit `bit` of the coverage section of the state buffer. What cannot be proved for all launches
  // is tried for those of fewer than 2^31 work-items in each dimension, with what holds in every
  // iteration of a loop (invariants.h); the reason says so.
  Proof outcome(unsigned bit, Z3Process& z3, const ProofLimits& limits = {});

  // The latter alone, before the first outcome() that needs it: it takes time.
  void find_invariants(Z3Process& z3, const ProofLimits& limits = {});

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace gputest::testgen
