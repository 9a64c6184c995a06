// A kernel whose outcomes are proved impossible or not.
#pragma once

#include "tests/catch.h"
#include "tests/passes/instrumented.h"

#include "testgen/solve/prove.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace gputest::testgen::tests {

inline gputest::tests::Instrumented instrumented(const std::string& text, const char* ending) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     ("prove_test." + std::to_string(::getpid()) + ending);
  std::ofstream(file) << text;
  gputest::frontend::SourceOptions options;
  options.file = file.string();
  auto result = gputest::tests::instrument(options);
  std::filesystem::remove(file);
  return result;
}

inline gputest::ir::Source source_of(const std::string& text, bool cuda) {
  return {.name = "coverage.cl", .text = text, .cl_std = "", .by_itself = cuda};
}

inline constexpr ProofLimits kPatient{.seconds = 20}; // other tests run beside
// Proofs begin with what refutes most of them.
inline constexpr ProofLimits kRefuting{.seconds = 20, .floating = false};

// One line, in which nothing has the name of an unknown thing, or a notation that is not C's.
inline bool is_readable(const std::string& reason) {
  return reason.size() <= 160 && reason.find_first_of("?#@") == std::string::npos &&
         reason.find("s<") == std::string::npos && reason.find("gputest_") == std::string::npos;
}

// The kernel k, and what is proved of its outcomes.
struct Proved {
  gputest::tests::Instrumented kernel;
  Prover prover;
  Z3Process z3;

  explicit Proved(const std::string& text, bool cuda = false)
      : kernel(instrumented(text, cuda ? ".cu" : ".cl")),
        prover(source_of(kernel.coverage.text, cuda), "k") {}

  const std::vector<gputest::model::Site>& sites() const { return kernel.coverage.sites.sites; }

  unsigned bit_of(unsigned line, const std::string& outcome,
                  gputest::model::Criterion criterion = gputest::model::Criterion::Branch) const {
    for (const gputest::model::Site& site : sites())
      for (const gputest::model::Outcome& one : site.outcomes)
        if (site.line == line && site.criterion == criterion && one.name == outcome)
          return one.bit;
    FAIL("line " << line << " has no outcome " << outcome);
    return 0;
  }

  bool is_impossible(unsigned bit) {
    const Proof refuting = prover.outcome(bit, z3, kRefuting);
    const Proof proof = prover.outcome(bit, z3, kPatient);
    UNSCOPED_INFO(proof.reason);
    CHECK(refuting.kind == proof.kind);
    CHECK(refuting.reason == proof.reason);
    CHECK(is_readable(proof.reason));
    return proof.kind == Proof::Kind::Impossible;
  }
  bool is_impossible(unsigned line, const std::string& outcome,
                     gputest::model::Criterion criterion = gputest::model::Criterion::Branch) {
    return is_impossible(bit_of(line, outcome, criterion));
  }
};

} // namespace gputest::testgen::tests
