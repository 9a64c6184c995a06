// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/cuda/kernel_text.h"

#include "model/kernel_name.h"
#include "runtime/machine/build_settings.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <fmt/format.h>
#include <iomanip>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>

namespace gputest::runtime::cuda {
namespace {

constexpr std::string_view kOwn = "gputest_"; // prefix of our variables
constexpr std::string_view kKernel = "gputest_kernel";

// One variable holds the function that the name means, and another its parameters: their number,
// their sizes, and which of them are pointers (kernel.cpp reads it). Clang finds no kernel for an
// overload's name in a variable of the device, so a function returns the address. All names have
// our prefix, because the author's macros are in effect here.
constexpr const char* kReference = R"(
template <typename> struct gputest_pointer_to {{ static constexpr unsigned gputest_is = 0; }};
template <typename gputest_type> struct gputest_pointer_to<gputest_type*> {{ static constexpr unsigned gputest_is = 1; }};
template <unsigned gputest_number> struct gputest_parameter_sizes {{
  unsigned gputest_count, gputest_sizes_and_pointers[2 * gputest_number + 1];
}};
template <typename... gputest_types>
constexpr gputest_parameter_sizes<sizeof...(gputest_types)> gputest_parameters_of(void (*)(gputest_types...)) {{
  return {{sizeof...(gputest_types),
           {{static_cast<unsigned>(sizeof(gputest_types))..., gputest_pointer_to<gputest_types>::gputest_is...}}}};
}}
#line 1 "{0}"
constexpr auto gputest_pointer() {{ return {1}; }}
extern "C" {{
__device__ decltype(gputest_pointer()) gputest_kernel = gputest_pointer();
__device__ decltype(gputest_parameters_of(gputest_pointer())) gputest_parameters =
    gputest_parameters_of(gputest_pointer());
}}
)";

bool is_of_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '$';
}

// Returns the word at `at`, after spaces.
std::string_view word_at(std::string_view line, std::size_t at) {
  while (at < line.size() && line[at] == ' ')
    ++at;
  std::size_t end = at;
  while (end < line.size() && is_of_name(line[end]))
    ++end;
  return line.substr(at, end - at);
}

// Returns the name before an array's size, a value or the end.
std::string_view name_of_variable(std::string_view line) {
  line = line.substr(0, line.find_first_of("[=;"));
  while (!line.empty() && !is_of_name(line.back()))
    line.remove_suffix(1);
  std::size_t begin = line.size();
  while (begin > 0 && is_of_name(line[begin - 1]))
    --begin;
  return line.substr(begin);
}

// Returns the position after a directive at the beginning of the line: ".visible .global" or
// ".global".
std::optional<std::size_t> behind(std::string_view line, std::string_view directive) {
  constexpr std::string_view kExtern = ".extern";
  const std::size_t at = line.find(directive);
  if (at == std::string_view::npos || !line.starts_with('.') || line.starts_with(kExtern) ||
      line.substr(0, at).find('(') != std::string_view::npos)
    return std::nullopt;
  return at + directive.size();
}

bool is_kernel_variable(std::string_view line) {
  return behind(line, ".global ") && name_of_variable(line) == kKernel;
}

} // namespace

std::string with_kernel(const std::string& text, const std::vector<std::string>& definitions,
                        const std::string& kernel, const std::string& source) {
  std::ostringstream whole;
  for (const std::string& definition : definitions)
    whole << macro_line(definition);
  if (!text.starts_with("#line"))
    whole << "#line 1 " << std::quoted(source) << '\n';
  whole << text;
  if (!kernel.empty())
    whole << fmt::format(kReference, kNameOfKernel, model::expression_of_kernel(kernel));
  return std::move(whole).str();
}

Declarations declarations_of(const std::string& ptx) {
  Declarations found;
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    if (const auto at = behind(line, ".entry")) {
      const std::string name(word_at(line, *at));
      if (std::ranges::find(found.kernels, name) == found.kernels.end())
        found.kernels.push_back(name);
      continue;
    }
    if (!behind(line, ".global "))
      continue;
    const std::string_view name = name_of_variable(line);
    if (name == kKernel) {
      std::size_t value = line.find('=');
      while (value < line.size() && !is_of_name(line[value]))
        ++value;
      found.kernel = word_at(line, value);
    } else if (!name.starts_with(kOwn) && !name.starts_with('$')) { // '$': a text of the compiler
      found.variables.emplace_back(name);
    }
  }
  return found;
}

std::string for_assembler(const std::string& ptx) {
  std::string text;
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    if (is_kernel_variable(line))
      continue;
    if (line.starts_with(".global ") || line.starts_with(".entry "))
      text += ".visible ";
    text += line + '\n';
  }
  return text;
}

std::string with_places(const std::string& messages) {
  std::string text;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t end = line.find("): ");
    const std::size_t begin = end == std::string::npos ? end : line.rfind('(', end);
    if (begin != std::string::npos && end > begin + 1 &&
        line.find_first_not_of("0123456789", begin + 1) == end)
      line = fmt::format("{}:{}{}", line.substr(0, begin), line.substr(begin + 1, end - begin - 1),
                         line.substr(end + 1));
    text += line + '\n';
  }
  return text;
}

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return text ? text.get() : name;
}

} // namespace gputest::runtime::cuda
