// Interfaces for tests, written as one would write the kernel's signature.
#pragma once

#include "model/interface.h"

#include <string>
#include <vector>

namespace gputest::tests {

inline model::Argument pointer(std::string name, model::Type element, bool output = false,
                               model::AddressSpace space = model::AddressSpace::Global) {
  model::Argument argument;
  argument.name = std::move(name);
  argument.type = std::move(element);
  argument.address_space = space;
  argument.pointer = true;
  argument.output = output;
  argument.access = output ? model::Access::ReadWrite : model::Access::Read;
  return argument;
}

inline model::Argument by_value(std::string name, model::Type type) {
  model::Argument argument;
  argument.name = std::move(name);
  argument.type = std::move(type);
  return argument;
}

inline model::KernelInterface kernel_interface(std::string name,
                                               std::vector<model::Argument> arguments) {
  model::KernelInterface kernel;
  kernel.name = std::move(name);
  kernel.file = "kernel.cl";
  kernel.line = 1;
  for (unsigned i = 0; i < arguments.size(); ++i)
    arguments[i].position = i;
  kernel.arguments = std::move(arguments);
  return kernel;
}

inline const model::Type kInt = model::scalar_type(model::Scalar::Int);
inline const model::Type kFloat = model::scalar_type(model::Scalar::Float);

} // namespace gputest::tests
