// A source and its kernels, compiled when they are first launched.
#pragma once

#include "simulator/execute/cache.h"
#include "simulator/execute/launch.h"
#include "simulator/execute/loader.h"

#include <map>
#include <memory>
#include <string>

namespace gputest::simulator {

class Program {
public:
  Program(Source source, const Cache& cache);

  struct Ready {
    KernelShape shape;
    LoadedCode code;
  };

  // The first call for a variant throws what compile(), link_builtins() and make_code() throw.
  const Ready& kernel(const CodeVariant& variant);

  // What its kernels have left in the variables that they share.
  ProgramVariables& variables() { return variables_; }

private:
  Source source_;
  const Cache& cache_;
  std::map<std::string, Ready> ready_; // by name of the variant
  ProgramVariables variables_;
};

} // namespace gputest::simulator
