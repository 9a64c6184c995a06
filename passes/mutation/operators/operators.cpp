// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/mutation/operators/operators.h"

#include <array>

namespace gputest::passes::mutation {

std::span<const Operator> operators(model::Language language) {
  static constexpr std::array<Operator, 19> kOpenCL{
      propose_arithmetic, propose_relational,     propose_logical,     propose_bitwise,
      propose_unary,      propose_assignment,     propose_constant,    propose_statement,
      propose_loop,       propose_barrier,        propose_atomic,      propose_memory,
      propose_index,      propose_image,          propose_component,   propose_vector_offset,
      propose_rounding,   propose_group_function, propose_memory_model};
  static constexpr std::array<Operator, 13> kCuda{
      propose_arithmetic, propose_relational,   propose_logical,     propose_bitwise,
      propose_unary,      propose_assignment,   propose_constant,    propose_statement,
      propose_loop,       propose_cuda_barrier, propose_cuda_atomic, propose_cuda_index,
      propose_cuda_share};
  return model::ByLanguage<std::span<const Operator>>{.opencl = kOpenCL, .cuda = kCuda}[language];
}

} // namespace gputest::passes::mutation
