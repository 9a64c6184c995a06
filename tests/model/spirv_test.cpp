// Modules that are read, and those that are refused with what is wrong.
#include "model/interface.h"
#include "model/spirv/module.h"
#include "tests/catch.h"

#include <cstring>
#include <string>
#include <vector>

using namespace gputest::model;

namespace {

using Words = std::vector<std::uint32_t>;

Words string_of(const std::string& text) {
  Words words(text.size() / 4 + 1);
  std::memcpy(words.data(), text.data(), text.size());
  return words;
}

Words instruction(std::uint16_t op, Words operands, const Words& more = {}) {
  operands.insert(operands.end(), more.begin(), more.end());
  operands.insert(operands.begin(), static_cast<std::uint32_t>(operands.size() + 1) << 16 | op);
  return operands;
}

// What a module needs: its parts may be replaced.
struct Parts {
  Words head{0x07230203, 0x00010400, 0, 10, 0};
  Words before{};
  std::uint32_t addresses = 2, model = 6;
  Words debug{};

  Words words() const {
    Words all = head;
    const auto add = [&](const Words& some) { all.insert(all.end(), some.begin(), some.end()); };
    add(before);
    add(instruction(spirv::MemoryModel, {addresses, 2}));
    add(instruction(spirv::EntryPoint, {model, 4}, string_of("k")));
    add(debug);
    add(instruction(spirv::TypeVoid, {1}));
    add(instruction(spirv::TypeFunction, {2, 1}));
    add(instruction(spirv::Function, {1, 4, 0, 2}));
    add(instruction(spirv::Label, {5}));
    add(instruction(253, {}));
    add(instruction(spirv::FunctionEnd, {}));
    return all;
  }
};

std::string bytes_of(const Words& words) {
  return {reinterpret_cast<const char*>(words.data()), 4 * words.size()};
}

std::string refusal_of(const std::string& bytes) {
  try {
    const SpirvModule module(bytes, "k.spv");
    return "none";
  } catch (const FormatError& error) {
    return error.what();
  }
}

std::string refusal_of(const Parts& parts) {
  return refusal_of(bytes_of(parts.words()));
}

} // namespace

TEST_CASE("a module of SPIR-V is read in both byte orders") {
  Words words = Parts{.debug = instruction(spirv::Name, {4}, string_of("k"))}.words();
  const SpirvModule module(bytes_of(words), "k.spv");
  CHECK(module.version() == "1.4");
  CHECK(module.kernels() == std::map<std::uint32_t, std::string>{{4, "k"}});
  CHECK(module.name(4) == "k");
  CHECK(module.instructions()[1].line == 7); // spirv-dis writes five lines before the first
  for (std::uint32_t& word : words)
    word = __builtin_bswap32(word);
  const SpirvModule swapped(bytes_of(words), "k.spv");
  CHECK(swapped.words() == module.words());
  CHECK(is_spirv(bytes_of(words)));
}

TEST_CASE("what is no module of kernels is refused with what it is") {
  CHECK(refusal_of(Parts()) == "none");
  CHECK(refusal_of(std::string()).starts_with("k.spv: error: this is no SPIR-V"));
  CHECK(refusal_of("kernel void k() {}\n").starts_with("k.spv: error: this is no SPIR-V"));
  CHECK(refusal_of("BC\xC0\xDE") ==
        "k.spv: error: this is LLVM's bitcode, and no SPIR-V: translate it with llvm-spirv");
  CHECK(refusal_of("; SPIR-V\n; Version: 1.4\n") ==
        "k.spv: error: this is SPIR-V as text: assemble it with spirv-as");
  CHECK(refusal_of(Parts{.head = {0x07230203, 0x00010900, 0, 10, 0}}) ==
        "k.spv: error: version 1.9 of SPIR-V is not known; 1.0 to 1.6 are");
  CHECK(refusal_of(Parts{.addresses = 0}) ==
        "k.spv: error: it has no addresses (it is for shaders), and no kernel of OpenCL");
  CHECK(refusal_of(Parts{.addresses = 1}).starts_with("k.spv: error: its addresses have 32 bits"));
  CHECK(refusal_of(Parts{.model = 5}) ==
        "k.spv: error: 'k' is a shader (GLCompute), and no kernel of OpenCL");
  CHECK(refusal_of(Parts{.before = instruction(spirv::Extension, string_of("SPV_MADE_up"))}) ==
        "k.spv: error: the module needs the extension SPV_MADE_up, which is not known");
  CHECK(refusal_of(Parts{.before = instruction(spirv::ExtInstImport, {3}, string_of("GLSL"))}) ==
        "k.spv: error: the module needs the instructions 'GLSL', which are not known");
}

TEST_CASE("a module that ends anywhere is refused") {
  const Parts parts{.debug = instruction(spirv::Source, {3, 102000})};
  const std::string whole = bytes_of(parts.words());
  for (std::size_t size = 4; size < whole.size(); ++size)
    CHECK(refusal_of(whole.substr(0, size)) != "none");
}

TEST_CASE("a module as a text keeps each byte") {
  std::string bytes = bytes_of(Parts().words());
  for (int i = 0; i < 3; ++i) { // each length of the last group
    CHECK(spirv_of_text(text_of_spirv(bytes)) == bytes);
    bytes += static_cast<char>(0xf0 + i);
  }
  CHECK(spirv_of_text("kernel void k() {}") == std::nullopt);
}

TEST_CASE("sources that a module embeds come first") {
  Words debug = instruction(spirv::String, {7}, string_of("other.cl"));
  const auto add = [&](const Words& some) { debug.insert(debug.end(), some.begin(), some.end()); };
  add(instruction(spirv::String, {8}, string_of("k.cl")));
  add(instruction(spirv::Source, {3, 102000, 7}));
  add(instruction(spirv::Source, {3, 102000, 8}, string_of("kernel void k()")));
  add(instruction(spirv::SourceContinued, string_of(" {}\n")));
  const SpirvModule module(bytes_of(Parts{.debug = debug}.words()), "k.spv");
  const std::vector<SpirvSource> sources = module.sources();
  REQUIRE(sources.size() == 2);
  CHECK(sources[0].text == "kernel void k() {}\n");
  CHECK(sources[0].file == "k.cl");
  CHECK(sources[0].language == "OpenCL C");
  CHECK(sources[1].file == "other.cl");
}
