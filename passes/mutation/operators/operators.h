// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mutation operators. Each family has a file of its own and a function here.
// docs/reference/mutation-operators.md says what each operator imitates.
#pragma once

#include "passes/mutation/operators/proposal.h"

#include <set>
#include <span>
#include <string>

namespace gputest::passes::mutation {

void propose_arithmetic(const Candidate& place, Proposals& out);
void propose_relational(const Candidate& place, Proposals& out);
void propose_logical(const Candidate& place, Proposals& out);
void propose_bitwise(const Candidate& place, Proposals& out);
void propose_unary(const Candidate& place, Proposals& out);
void propose_assignment(const Candidate& place, Proposals& out);
void propose_constant(const Candidate& place, Proposals& out);
void propose_statement(const Candidate& place, Proposals& out);
void propose_loop(const Candidate& place, Proposals& out);
void propose_barrier(const Candidate& place, Proposals& out);
void propose_atomic(const Candidate& place, Proposals& out);
void propose_memory(const Candidate& place, Proposals& out);
void propose_index(const Candidate& place, Proposals& out);
void propose_image(const Candidate& place, Proposals& out);
void propose_component(const Candidate& place, Proposals& out);
void propose_vector_offset(const Candidate& place, Proposals& out);
void propose_rounding(const Candidate& place, Proposals& out);
void propose_group_function(const Candidate& place, Proposals& out);
void propose_memory_model(const Candidate& place, Proposals& out);

// CUDA's operators, in the place of those for OpenCL C's functions and address spaces.
void propose_cuda_barrier(const Candidate& place, Proposals& out);
void propose_cuda_atomic(const Candidate& place, Proposals& out);
void propose_cuda_index(const Candidate& place, Proposals& out);
void propose_cuda_share(const Candidate& place, Proposals& out);

// Returns the components ("x", "y", "z") of threadIdx, blockIdx, blockDim and gridDim that the code
// names.
std::set<std::string> cuda_dimensions_in(const clang::Stmt& body);

std::span<const Operator> operators(model::Language language);

} // namespace gputest::passes::mutation
