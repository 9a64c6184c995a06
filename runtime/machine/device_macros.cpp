// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/device_macros.h"

#include <fmt/format.h>
#include <optional>

namespace gputest::runtime {
namespace {

std::string probe_text(const std::vector<model::DeviceMacro>& macros, std::size_t longest) {
  std::string text = "#define GPUTEST_TEXT_(x) #x\n#define GPUTEST_TEXT(x) GPUTEST_TEXT_(x)\n";
  std::string body;
  for (std::size_t i = 0; i < macros.size(); ++i) {
    text +=
        fmt::format("#ifdef {0}\n__constant char gputest_macro_{1}[] = \"1\" GPUTEST_TEXT({0});\n"
                    "#else\n__constant char gputest_macro_{1}[] = \"0\";\n#endif\n",
                    macros[i].name, i);
    body += fmt::format("  for (uint i = 0; i < sizeof(gputest_macro_{0}) && i < {1}; ++i)\n"
                        "    out[{2} + i] = gputest_macro_{0}[i];\n",
                        i, longest - 1, i * longest);
  }
  return text + "__kernel void gputest_probe(__global char* out) {\n" + body + "}\n";
}

} // namespace

std::vector<model::DeviceMacro> probe_macros(Machine& machine,
                                             std::vector<model::DeviceMacro> macros,
                                             const BuildSettings& settings) {
  if (macros.empty())
    return macros;
  constexpr std::size_t kLongest = 256;
  const auto kernel = machine.build(probe_text(macros, kLongest), settings, "gputest_probe",
                                    "the probe of the device's macros");
  std::vector<LaunchArgument> arguments(1);
  arguments[0].name = "out";
  arguments[0].kind = LaunchArgument::Kind::Buffer;
  arguments[0].bytes.resize(macros.size() * kLongest);
  arguments[0].read_back = true;
  Bytes no_state;
  kernel->launch({.global_size = {1, 1, 1}}, arguments, no_state);
  for (std::size_t i = 0; i < macros.size(); ++i) {
    const std::string text = reinterpret_cast<const char*>(&arguments[0].bytes[i * kLongest]);
    macros[i].value =
        text.starts_with('1') ? std::optional<std::string>(text.substr(1)) : std::nullopt;
  }
  return macros;
}

} // namespace gputest::runtime
