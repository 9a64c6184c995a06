// A source and its kernels, compiled when they are first launched: quickly, and again in full when
// they have run for as long as that takes.
#pragma once

#include "simulator/execute/cache.h"
#include "simulator/execute/launch.h"
#include "simulator/execute/loader.h"

#include <map>
#include <string>

namespace gputest::simulator {

class Program {
public:
  // `improves`: whether code is made again in full here. What others have made so is taken anyway.
  Program(Source source, const Cache& cache, bool improves = true);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  struct Ready {
    KernelShape shape;
    LoadedCode code;
  };

  // The first call for a variant throws what compile(), link_builtins() and make_code() throw.
  const Ready& kernel(const CodeVariant& variant);
  // Whether the call would compile nothing.
  bool is_compiled(const CodeVariant& variant) const;

  // What its kernels have left in the variables that they share.
  ProgramVariables& variables() { return variables_; }

private:
  Source source_;
  const Cache& cache_;
  bool improves_;
  std::map<std::string, Ready> ready_; // by name of the variant
  ProgramVariables variables_;
};

} // namespace gputest::simulator
