// Types of elements that kernels' arguments have: one of each kind.
#pragma once

#include "model/type.h"

#include <vector>

namespace gputest::fuzz {

// float, bool, float4, and struct { int id; float weights[2]; }.
inline const std::vector<model::Type>& element_types() {
  using model::Scalar;
  static const std::vector<model::Type> types = [] {
    model::Type body{.kind = model::Type::Kind::Struct,
                     .name = "Body",
                     .size = 12,
                     .alignment = 4,
                     .fields = {}};
    body.fields.push_back({"id", 0, model::scalar_type(Scalar::Int), {}});
    body.fields.push_back({"weights", 4, model::scalar_type(Scalar::Float), {2}});
    return std::vector{model::scalar_type(Scalar::Float), model::scalar_type(Scalar::Bool),
                       model::vector_type(Scalar::Float, 4), body};
  }();
  return types;
}

} // namespace gputest::fuzz
