// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hostgen/reference_skeleton.h"

#include "hostgen/harness.h"
#include "model/kernel_name.h"

#include <cctype>
#include <fmt/format.h>
#include <set>

namespace gputest::hostgen {
namespace {

using model::Type;

class Skeleton {
public:
  explicit Skeleton(const model::KernelInterface& kernel) : kernel_(kernel) {}

  std::string text() {
    const std::string function = model::plain_name(kernel_.name) + "_reference";
    const std::string head = fmt::format("void {}(", function);
    std::string line = head, parameters;
    for (const model::Argument& argument : kernel_.arguments) {
      const bool last = &argument == &kernel_.arguments.back();
      const std::string one = parameter(argument) + (last ? "" : ",");
      if (line.size() + 1 + one.size() > 96) {
        parameters += "\n" + std::string(head.size(), ' ');
        line.assign(head.size(), ' ');
      } else if (&argument != &kernel_.arguments.front()) {
        parameters += ' ';
        line += ' ';
      }
      parameters += one;
      line += one;
    }
    return fmt::format(
        "#include <CL/cl.h>\n{0}\n#include <stdexcept>\n\n{1}"
        "// What '{2}' should compute: its parameters are the kernel's, and buffers are copies of "
        "what\n"
        "// it starts with. A last parameter `const gputest::Launch& launch` tells the launch's "
        "sizes.\n"
        "{3}{4}) {{\n  throw std::logic_error(\"{5}() is still to be written\");\n}}\n",
        views_ ? "#include <gputest/reference.h>\n" : "", structs_, kernel_.name, head, parameters,
        function);
  }

  std::string signature(const std::string& name) {
    std::string parameters;
    for (const model::Argument& argument : kernel_.arguments)
      parameters += (parameters.empty() ? "" : ", ") + parameter(argument);
    return fmt::format("void {}({})", name, parameters);
  }

private:
  std::string parameter(const model::Argument& argument) {
    const Type& type = argument.type;
    if (type.kind == Type::Kind::Image || type.kind == Type::Kind::Sampler) {
      views_ = true;
      return fmt::format("gputest::{} {}",
                         type.kind == Type::Kind::Image ? "ImageView" : "SamplerView",
                         argument.name);
    }
    const std::string host = host_type(type, argument.name);
    if (!argument.pointer)
      return fmt::format("{} {}", host, argument.name);
    const bool is_read = argument.access == model::Access::Read ||
                         argument.address_space == model::AddressSpace::Constant;
    return fmt::format("{}{}* {}", is_read ? "const " : "", host, argument.name);
  }

  std::string host_type(const Type& type, const std::string& of) {
    switch (type.kind) {
    case Type::Kind::Scalar:
      return std::string(model::host_name_of(type.scalar));
    case Type::Kind::Vector:
      return fmt::format("{}{}", model::host_name_of(type.scalar), type.width);
    case Type::Kind::Struct:
    case Type::Kind::Union:
      return declared(type, of);
    case Type::Kind::Pointer:
      return "cl_ulong"; // an address
    default:
      throw HarnessError(
          fmt::format("{}:{}: error: '{}' of kernel '{}' has the type '{}', which no "
                      "reference function can take",
                      kernel_.file, kernel_.line, of, kernel_.name, type.name));
    }
  }

  // Declares a struct once, before its first use. A struct without a name gets the name of its
  // place.
  std::string declared(const Type& type, const std::string& of) {
    const std::string last = type.name.substr(type.name.find_last_of(' ') + 1);
    bool named = !last.empty() && !std::isdigit(static_cast<unsigned char>(last.front()));
    for (const char letter : last)
      named &= std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
    const std::string name = named ? last : of + "_type";
    if (!known_.insert(name).second)
      return name;
    std::string members;
    for (const model::Field& field : type.fields) {
      members += fmt::format("  {} {}", host_type(field.type, field.name), field.name);
      for (const std::size_t size : field.dimensions)
        members += fmt::format("[{}]", size);
      members += ";\n";
    }
    structs_ +=
        fmt::format("{0} {1} {{\n{2}}};\nstatic_assert(sizeof({1}) == {3});\n\n",
                    type.kind == Type::Kind::Union ? "union" : "struct", name, members, type.size);
    return name;
  }

  const model::KernelInterface& kernel_;
  std::set<std::string> known_;
  std::string structs_;
  bool views_ = false;
};

} // namespace

std::string reference_skeleton(const model::KernelInterface& kernel) {
  return Skeleton(kernel).text();
}

std::string reference_signature(const model::KernelInterface& kernel, const std::string& name) {
  return Skeleton(kernel).signature(name);
}

} // namespace gputest::hostgen
