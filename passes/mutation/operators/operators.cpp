#include "passes/mutation/operators/operators.h"

#include <array>

namespace gputest::passes::mutation {

std::span<const Operator> operators() {
  static constexpr std::array<Operator, 17> kAll{
      propose_arithmetic, propose_relational, propose_logical,   propose_bitwise,
      propose_unary,      propose_assignment, propose_constant,  propose_statement,
      propose_loop,       propose_barrier,    propose_atomic,    propose_memory,
      propose_index,      propose_image,      propose_component, propose_vector_offset,
      propose_rounding};
  return kAll;
}

} // namespace gputest::passes::mutation
