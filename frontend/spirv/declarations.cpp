// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/declarations.h"

#include "frontend/spirv/debug_names.h"
#include "frontend/spirv/pointer_uses.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <set>

namespace gputest::frontend {
namespace {

using model::SpirvInstruction;
namespace spirv = model::spirv;

// Returns what passes/describe.cpp calls a parameter without a name, too.
std::string unnamed(std::size_t number) {
  return fmt::format("argument{}", number);
}

bool is_identifier(const std::string& name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::ranges::all_of(name,
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// Numbers of section 3.8 (Dim) and 3.18 (Access Qualifier).
std::string image_type(std::span<const std::uint32_t> words) {
  const std::uint32_t dimensions = words[2], depth = words[3], arrayed = words[4];
  constexpr std::uint32_t kBuffer = 5;
  std::string name = dimensions == kBuffer
                         ? "image1d_buffer"
                         : fmt::format("image{}d{}", dimensions + 1, arrayed != 0 ? "_array" : "");
  if (depth == 1)
    name += "_depth";
  const std::uint32_t access = words.size() > 8 ? words[8] : 0;
  return fmt::format("{} {}_t",
                     access == 0   ? "read_only"
                     : access == 1 ? "write_only"
                                   : "read_write",
                     name);
}

class Declarations {
public:
  Declarations(const model::SpirvModule& module, std::string file)
      : module_(module), file_(std::move(file)), debug_(module), uses_(module) {
    for (const SpirvInstruction& instruction : module.instructions())
      read(instruction);
  }

  // The names of a kernel's parameters.
  std::vector<std::string> names_of(std::uint32_t kernel) {
    const std::uint32_t source = named(kernel);
    std::vector<std::string> names;
    const auto& parameters = parameters_[kernel];
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const DebugParameter* const told = debug_.parameter(source, i);
      std::string name =
          module_.name(parameters[i].second)
              .value_or(
                  module_.name(parameters_[source][i].second).value_or(told ? told->name : ""));
      if (!is_identifier(name) || std::ranges::find(names, name) != names.end())
        name = unnamed(i);
      names.push_back(std::move(name));
    }
    return names;
  }

  std::string text() {
    std::string kernels;
    for (const SpirvInstruction& instruction : module_.instructions()) {
      if (instruction.op == spirv::Function && instruction.operands.size() >= 2 &&
          module_.kernels().contains(instruction.operands[1]))
        kernels += kernel(instruction);
    }
    return structs_ + kernels;
  }

private:
  void read(const SpirvInstruction& instruction) {
    const std::span<const std::uint32_t> words = instruction.operands;
    if (instruction.op >= spirv::TypeVoid && instruction.op <= spirv::TypeQueue && !words.empty())
      types_[words[0]] = &instruction;
    else if (instruction.op == spirv::Constant && words.size() >= 3)
      constants_[words[1]] = words[2];
    else if (instruction.op == spirv::MemberName && words.size() >= 3)
      members_[{words[0], words[1]}] = model::spirv_string(words.subspan(2));
    else if (instruction.op == spirv::Decorate && words.size() == 2 && words[1] == spirv::Packed)
      packed_.insert(words[0]);
    else if (instruction.op == spirv::Decorate && words.size() == 3 &&
             words[1] == spirv::FuncParamAttr && words[2] == kByVal)
      by_value_.insert(words[0]);
    else if (instruction.op == spirv::ExecutionMode && words.size() == 5 && words[1] == kLocalSize)
      sizes_[words[0]] = fmt::format("__attribute__((reqd_work_group_size({}, {}, {}))) ", words[2],
                                     words[3], words[4]);
    else if (instruction.op == spirv::Function && words.size() >= 2)
      function_ = words[1];
    else if (instruction.op == spirv::FunctionParameter && words.size() >= 2)
      parameters_[function_].emplace_back(words[0], words[1]);
  }

  // A declaration of `name`; the type's name alone without one. `debug`: the type in the debug
  // information, or 0.
  std::string declared(std::uint32_t type, std::uint32_t debug, const std::string& name = {}) {
    const std::string before = name.empty() ? "" : " " + name;
    const auto found = types_.find(type);
    if (found == types_.end())
      return "void*" + before;
    const std::span<const std::uint32_t> words = found->second->operands;
    switch (found->second->op) {
    case spirv::TypeBool:
      return "bool" + before;
    case spirv::TypeInt:
      return integer(words[1], debug_.is_unsigned(debug)) + before;
    case spirv::TypeFloat:
      return (words[1] == 16 ? "half" : words[1] == 32 ? "float" : "double") + before;
    case spirv::TypeVector:
      return declared(words[1], debug) + std::to_string(words[2]) + before;
    case spirv::TypeArray:
      return declared(words[1], debug,
                      fmt::format("{}[{}]", name.empty() ? "x" : name, constants_[words[2]]));
    case spirv::TypeStruct:
      return structure(type, *found->second, debug) + before;
    case spirv::TypeImage:
      return image_type(words) + before;
    case spirv::TypeSampler:
      return "sampler_t" + before;
    case spirv::TypePointer:
      return "void*" + before;
    case spirv::TypeVoid:
      return "void" + before;
    case spirv::TypeQueue:
      return "queue_t" + before;
    default:
      return "ulong" + before;
    }
  }

  static std::string integer(std::uint32_t bits, bool is_unsigned) {
    const char* const name = bits == 8    ? "char"
                             : bits == 16 ? "short"
                             : bits == 32 ? "int"
                                          : "long";
    return (is_unsigned ? "u" : "") + std::string(name);
  }

  std::string structure(std::uint32_t type, const SpirvInstruction& instruction,
                        std::uint32_t debug) {
    if (const auto known = names_.find(type); known != names_.end())
      return known->second;
    std::string name = module_.name(type).value_or("");
    name = name.substr(name.find('.') == std::string::npos ? 0 : name.find('.') + 1);
    if (!is_identifier(name) || !taken_.insert(name).second)
      name = fmt::format("struct_{}", type);
    names_[type] = name;
    std::string fields;
    const std::span<const std::uint32_t> types = instruction.operands.subspan(1);
    for (std::size_t i = 0; i < types.size(); ++i) {
      const auto given = members_.find({type, static_cast<std::uint32_t>(i)});
      const std::optional<std::uint32_t> member = debug_.member(debug, i);
      const std::string known = given != members_.end() ? given->second
                                : member                ? debug_.name_of_member(*member)
                                                        : "";
      fields +=
          fmt::format(" {};", declared(types[i], member.value_or(0),
                                       is_identifier(known) ? known : fmt::format("member{}", i)));
    }
    structs_ += fmt::format("typedef struct{} {{{} }} {};\n",
                            packed_.contains(type) ? " __attribute__((packed))" : "", fields, name);
    return name;
  }

  static const char* space_of(std::uint32_t storage) {
    return storage == spirv::CrossWorkgroup    ? "__global "
           : storage == spirv::UniformConstant ? "__constant "
           : storage == spirv::Workgroup       ? "__local "
                                               : "";
  }

  // The function that has a kernel's names: translators write a second one, which the entry calls.
  std::uint32_t named(std::uint32_t kernel) const {
    if (debug_.place_of(kernel))
      return kernel;
    for (const auto& [function, parameters] : parameters_)
      if (function != kernel && module_.name(function) == module_.kernels().at(kernel) &&
          parameters.size() == parameters_.at(kernel).size())
        return function;
    return kernel;
  }

  std::string kernel(const SpirvInstruction& instruction) {
    const std::uint32_t function = instruction.operands[1];
    std::string list, body;
    const auto& parameters = parameters_[function];
    const std::uint32_t source = named(function);
    const std::vector<std::string> names = names_of(function);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const auto [type, id] = parameters[i];
      const DebugParameter* const told = debug_.parameter(source, i);
      list += std::string(i == 0 ? "" : ", ") +
              parameter(type, id, told ? told->type : 0, names[i], body);
    }
    const DebugPlace place = debug_.place_of(source).value_or(DebugPlace{file_, instruction.line});
    return fmt::format("#line {} \"{}\"\n{}__kernel void {}({}) {{{} }}\n", place.line, place.file,
                       sizes_[function], module_.kernels().at(function), list, body);
  }

  std::string parameter(std::uint32_t type, std::uint32_t id, std::uint32_t debug,
                        const std::string& name, std::string& body) {
    const auto found = types_.find(type);
    if (found == types_.end() || found->second->op != spirv::TypePointer)
      return declared(type, debug, name);
    const std::uint32_t storage = found->second->operands[1];
    const std::uint32_t pointee = found->second->operands[2];
    if (by_value_.contains(id))
      return declared(pointee, debug, name);
    std::string element = declared(pointee, debug);
    if (const std::size_t array = element.find(" x["); array != std::string::npos)
      element.resize(array); // sizes count innermost elements
    const PointerUse use = uses_.of(id);
    const bool constant = storage == spirv::CrossWorkgroup && !use.writes;
    if (element != "void" && storage != spirv::UniformConstant) {
      if (use.writes)
        body += fmt::format(" {{ __private {} x; *{} = x; }}", element, name);
      if (use.reads && !constant)
        body += fmt::format(" {{ __private {} x = *{}; }}", element, name);
    }
    return fmt::format("{}{}{}* {}", constant ? "const " : "", space_of(storage), element, name);
  }

  static constexpr std::uint32_t kByVal = 2, kLocalSize = 17;

  const model::SpirvModule& module_;
  std::string file_;
  DebugNames debug_;
  PointerUses uses_;
  std::uint32_t function_ = 0; // that is read
  std::map<std::uint32_t, const SpirvInstruction*> types_;
  std::map<std::uint32_t, std::uint32_t> constants_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> members_;
  std::map<std::uint32_t, std::string> sizes_, names_;
  std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> parameters_;
  std::set<std::uint32_t> packed_, by_value_;
  std::set<std::string> taken_;
  std::string structs_;
};

} // namespace

std::map<std::string, std::vector<std::string>> parameter_names(const model::SpirvModule& module) {
  std::map<std::string, std::vector<std::string>> names;
  Declarations declarations(module, "");
  for (const auto& [function, kernel] : module.kernels())
    names[kernel] = declarations.names_of(function);
  return names;
}

std::string declarations_of(const model::SpirvModule& module, const std::string& file) {
  return Declarations(module, file).text();
}

} // namespace gputest::frontend
