// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/launches/reference_kernel.h"

#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

namespace gputest::model {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw ReferenceKernelError("REFERENCE_KERNEL: " + message);
}

template <typename Named> std::string names_of_all(const std::vector<Named>& all) {
  std::string names;
  for (const Named& one : all)
    names += (names.empty() ? "" : ", ") + one.name;
  return names;
}

bool is_integer(const Type& type) {
  return type.kind == Type::Kind::Scalar && !is_floating(type.scalar);
}

ReferenceArgument source_of(const Argument& reference, const std::string& name,
                            const KernelInterface& kernel) {
  const Argument* const ours = kernel.find(name);
  if (!ours)
    refuse(fmt::format("its argument '{}' has no counterpart '{}' in kernel '{}', which has {}: "
                       "add ARGUMENTS {}=<argument of the kernel>",
                       reference.name, name, kernel.name,
                       kernel.arguments.empty() ? "no argument" : names_of_all(kernel.arguments),
                       reference.name));
  const auto differ = [&](const char* what) {
    refuse(fmt::format("its argument '{}' and '{}' of kernel '{}' differ: {}", reference.name, name,
                       kernel.name, what));
  };
  if (ours->pointer != reference.pointer)
    differ("one is a pointer");
  const bool is_local = ours->address_space == AddressSpace::Local;
  if (is_local != (reference.address_space == AddressSpace::Local))
    differ("one is local memory");
  if (ours->pointer && !have_same_elements(ours->type, reference.type))
    differ("their elements have other types");
  if (ours->pointer || ours->type == reference.type)
    return {ours->position, std::nullopt};
  if (!is_integer(ours->type) || !is_integer(reference.type))
    differ("they have other types");
  return {ours->position, reference.type.scalar};
}

} // namespace

const KernelInterface& reference_kernel(const Interface& interface, const std::string& name) {
  if (const KernelInterface* const kernel = interface.find(name))
    return *kernel;
  if (interface.kernels.empty())
    refuse(interface.source + " has no kernel");
  if (name.empty() && interface.kernels.size() == 1)
    return interface.kernels.front();
  const std::string names = names_of_all(interface.kernels);
  refuse(name.empty()
             ? fmt::format("say with KERNEL which one: {}", names)
             : fmt::format("{} has no kernel '{}'; there are: {}", interface.source, name, names));
}

std::vector<ReferenceArgument> reference_arguments(const KernelInterface& reference,
                                                   const std::vector<std::string>& named,
                                                   const KernelInterface& kernel) {
  std::map<std::string, std::string> ours;
  for (const std::string& text : named) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (equals == std::string::npos || !reference.find(name))
      refuse(fmt::format("ARGUMENTS: '{}' is no <argument of {}>=<argument of {}>", text,
                         reference.name, kernel.name));
    ours[name] = text.substr(equals + 1);
  }
  std::vector<ReferenceArgument> all;
  std::set<std::size_t> taken;
  for (const Argument& argument : reference.arguments) {
    const auto other = ours.find(argument.name);
    all.push_back(source_of(argument, other == ours.end() ? argument.name : other->second, kernel));
    if (argument.pointer && !taken.insert(all.back().position).second)
      refuse(fmt::format("two of its arguments are '{}' of kernel '{}'",
                         kernel.arguments[all.back().position].name, kernel.name));
  }
  return all;
}

std::vector<Expression> reference_sizes(const char* keyword, const std::vector<std::string>& texts,
                                        const KernelInterface& kernel) {
  std::vector<Expression> expressions;
  for (const std::string& text : texts)
    try {
      expressions.emplace_back(text);
      for (const std::string& argument : expressions.back().names())
        if (!kernel.find(argument))
          refuse(fmt::format("{}: '{}' is no argument of kernel '{}'", keyword, argument,
                             kernel.name));
    } catch (const ExpressionError& error) {
      refuse(fmt::format("{}: {}", keyword, error.what()));
    }
  return expressions;
}

} // namespace gputest::model
