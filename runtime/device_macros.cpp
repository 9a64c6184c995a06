#include "runtime/device_macros.h"

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

std::vector<model::DeviceMacro> probe_macros(const Context& context,
                                             std::vector<model::DeviceMacro> macros,
                                             const BuildSettings& settings) {
  if (macros.empty())
    return macros;
  constexpr std::size_t kLongest = 256;
  const BuiltProgram program = build_program(context, probe_text(macros, kLongest), settings,
                                             "the probe of the device's macros");
  return checked("the probe of the device's macros", [&] {
    std::string out(macros.size() * kLongest, '\0');
    cl::Kernel kernel(program.program, "gputest_probe");
    cl::Buffer buffer(context.context, CL_MEM_READ_WRITE, out.size());
    context.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, out.size(), out.data());
    kernel.setArg(0, buffer);
    context.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1));
    context.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, out.size(), out.data());
    for (std::size_t i = 0; i < macros.size(); ++i) {
      const std::string text = out.c_str() + i * kLongest;
      macros[i].value =
          text.starts_with('1') ? std::optional<std::string>(text.substr(1)) : std::nullopt;
    }
    return macros;
  });
}

} // namespace gputest::runtime
