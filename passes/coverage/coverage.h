// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coverage pass. Criteria are those of CLTestCheck (Peng, Rajan, FASE 2019, section 3.1), with
// statement and condition coverage added. docs/coverage.md defines what counts as a site.
#pragma once

#include "frontend/ignore_comments.h"
#include "frontend/parse.h"
#include "model/sites.h"
#include "model/spirv/module.h"

namespace gputest::passes {

struct CoverageVariant {
  // OpenCL C: every kernel takes the state buffer (templates/state.h) as its last argument. CUDA
  // C++: the state is a variable.
  std::string text;
  model::SiteTable sites;
};

// Instruments OpenCL C. Sites that `comments` leave out do not count.
CoverageVariant instrument_coverage(const frontend::Tree& tree, const std::string& source_name,
                                    const std::vector<model::IgnoreComment>& comments = {});

// Instruments a CUDA file (frontend/cuda/unit.h). The state is a __device__ variable
// `gputest_coverage_<unit>`: 32-bit words of outcome bits. `unit` is a name that is unique in a
// program; empty: kernels are launched by themselves (cuda_state.h). `apart`: each instance of a
// template has its own bits, under Clang's name for it (__PRETTY_FUNCTION__).
CoverageVariant instrument_cuda_coverage(const frontend::Tree& tree, const std::string& source_name,
                                         const std::string& unit, bool apart,
                                         const std::vector<model::IgnoreComment>& comments = {});

// Instruments a SPIR-V module, whose kernels take the state buffer as those of OpenCL C; the text
// is that of model::text_of_spirv(). A function is a statement; branches, switches and selections
// by a scalar are branches, at the places of their OpLine. An error says what cannot be
// instrumented.
llvm::Expected<CoverageVariant> instrument_module_coverage(const model::SpirvModule& module,
                                                           const std::string& source_name);

} // namespace gputest::passes
