#include "model/interface.h"

#include "tests/catch.h"
#include "tests/model/absurd_numbers.h"
#include "tests/temporary_folder.h"

#include <nlohmann/json.hpp>

using namespace gputest::model;
using namespace gputest::tests;

namespace {

// An argument of every kind, and every key that can be given.
Interface sample_interface() {
  const Type inner{
      .kind = Type::Kind::Union,
      .name = "Cell",
      .scalar = Scalar::Int,
      .width = 1,
      .size = 4,
      .alignment = 4,
      .fields = {{.name = "i", .offset = 0, .type = scalar_type(Scalar::Int), .dimensions = {}}}};
  const Type body{.kind = Type::Kind::Struct,
                  .name = "Body",
                  .scalar = Scalar::Int,
                  .width = 1,
                  .size = 48,
                  .alignment = 16,
                  .fields = {{.name = "position",
                              .offset = 0,
                              .type = vector_type(Scalar::Float, 3),
                              .dimensions = {}},
                             {.name = "cells", .offset = 16, .type = inner, .dimensions = {2, 3}}}};
  Argument bodies;
  bodies.name = "bodies";
  bodies.type = body;
  bodies.address_space = AddressSpace::Global;
  bodies.access = Access::ReadWrite;
  bodies.pointer = true;
  bodies.size = 7;
  bodies.input = Input::Random;
  bodies.value = "0,1";
  bodies.output = true;
  Argument image;
  image.name = "image";
  image.position = 1;
  image.type = {.kind = Type::Kind::Image,
                .name = "image2d_t",
                .scalar = Scalar::Int,
                .width = 1,
                .size = 0,
                .alignment = 0,
                .fields = {}};
  image.access = Access::Write;
  image.input = Input::File;
  image.file = "image.npy";
  Argument number;
  number.name = "n";
  number.position = 2;
  number.type = scalar_type(Scalar::UInt);

  KernelInterface kernel;
  kernel.name = "step";
  kernel.file = "nbody.cl";
  kernel.line = 12;
  kernel.required_work_group_size = {{64, 1, 1}};
  kernel.arguments = {bodies, image, number};
  KernelInterface other;
  other.name = "empty";
  other.most_work_items = 256;
  return {.source = "nbody.cl", .kernels = {kernel, other}};
}

} // namespace

TEST_CASE("interface.json reads back as it was written") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "interface.json";
  write_interface(sample_interface(), file);
  CHECK(read_interface(file) == sample_interface());
}

TEST_CASE("a value may be a text or JSON itself") {
  auto json = to_json(sample_interface());
  auto& argument = json["kernels"][0]["arguments"][2];
  argument["input"] = "value";
  argument["value"] = 3.5;
  CHECK(interface_from_json(json).kernels[0].arguments[2].value == "3.5");
  argument["value"] = {1, 2};
  CHECK(interface_from_json(json).kernels[0].arguments[2].value == "[1,2]");
  argument["value"] = "3.5";
  CHECK(interface_from_json(json).kernels[0].arguments[2].value == "3.5");
}

TEST_CASE("kernels and arguments are found by name") {
  const Interface interface = sample_interface();
  REQUIRE(interface.find("step"));
  CHECK(interface.find("step")->find("n")->position == 2);
  CHECK_FALSE(interface.find("step")->find("m"));
  CHECK_FALSE(interface.find("setp"));
}

TEST_CASE("a fresh interface keeps what the user edited, and nothing else") {
  Interface edited = sample_interface();
  Argument& bodies = edited.kernels[0].arguments[0];
  bodies.size = 99;
  bodies.input = Input::File;
  bodies.value = "ignored";
  bodies.file = "mine.npy";
  bodies.output = false;
  bodies.type = scalar_type(Scalar::Char); // derived: the source knows better
  bodies.position = 5;
  bodies.access = Access::Write;
  Interface fresh = sample_interface();
  Argument added;
  added.name = "added";
  added.size = 3;
  fresh.kernels[0].arguments.push_back(added);

  const Interface merged = merge_edits(fresh, edited);
  const Argument& kept = merged.kernels[0].arguments[0];
  CHECK(kept.size == 99u);
  CHECK(kept.input == Input::File);
  CHECK(kept.value == "ignored");
  CHECK(kept.file == "mine.npy");
  CHECK_FALSE(kept.output);
  CHECK(kept.type == fresh.kernels[0].arguments[0].type);
  CHECK(kept.position == 0);
  CHECK(kept.access == Access::ReadWrite);
  CHECK(merged.kernels[0].arguments[1] == fresh.kernels[0].arguments[1]);
  CHECK(merged.kernels[0].arguments[3] == added);

  edited.kernels[0].name = "renamed"; // no edits for this kernel any more
  CHECK(merge_edits(fresh, edited) == fresh);
}

TEST_CASE("what is wrong in an interface is named with its file and key") {
  const TemporaryFolder folder;
  const auto refusal = [&](const auto& change) {
    auto json = to_json(sample_interface());
    change(json, json["kernels"][0]["arguments"][0]);
    const auto file = folder.write("interface.json", json.dump());
    const std::string message = message_of<FormatError>([&] { read_interface(file); });
    CHECK_THAT(message, StartsWith(file.string() + ": error: "));
    return message;
  };
  CHECK_THAT(refusal([](auto& json, auto&) { json.erase("kernels"); }),
             ContainsSubstring("key 'kernels' is missing"));
  CHECK_THAT(refusal([](auto& json, auto&) { json.erase("format"); }),
             ContainsSubstring("key 'format' is missing"));
  CHECK_THAT(refusal([](auto&, auto& argument) { argument.erase("type"); }),
             ContainsSubstring("key 'type' is missing"));
  CHECK_THAT(refusal([](auto&, auto& argument) { argument["pointer"] = 1; }),
             ContainsSubstring("key 'pointer' has the wrong type: 1"));
  CHECK_THAT(refusal([](auto&, auto& argument) { argument["size"] = -4; }),
             ContainsSubstring("key 'size' has the wrong value: -4"));
  CHECK_THAT(refusal([](auto&, auto& argument) { argument["input"] = "noise"; }),
             ContainsSubstring("key 'input' has the unknown value 'noise'"));
  CHECK_THAT(refusal([](auto&, auto& argument) { argument["address_space"] = "shared"; }),
             ContainsSubstring("key 'address_space' has the unknown value 'shared'"));
  CHECK_THAT(refusal([](auto& json, auto&) {
               json["kernels"][0]["arguments"][2]["type"]["scalar"] = "quad";
             }),
             ContainsSubstring("key 'scalar' has the unknown value 'quad'"));
  CHECK_THAT(refusal([](auto& json, auto&) { json["kernels"][0]["reqd_work_group_size"] = {1}; }),
             ContainsSubstring("key 'reqd_work_group_size' has the wrong type: [1]"));

  const auto broken = folder.write("broken.json", "{\"format\": ");
  CHECK_THAT(message_of<FormatError>([&] { read_interface(broken); }),
             StartsWith(broken.string() + ": error: not JSON: "));
  CHECK_THAT(message_of<FormatError>([&] { read_interface(folder.path() / "none.json"); }),
             ContainsSubstring("none.json: error: cannot be read"));
}

TEST_CASE("Absurd numbers in an interface are refused, or in proportion") {
  Interface good = sample_interface();
  for (Argument& argument : good.kernels.front().arguments)
    argument.size = 3;
  good.kernels.front().required_work_group_size = {8, 4, 1};
  good.kernels.front().most_work_items = 64;
  REQUIRE(interface_from_json(to_json(good)) == good);
  std::size_t refused = 0;
  const std::size_t count =
      with_absurd_numbers(to_json(good), [&](const auto& json, const std::string& what) {
        INFO(what);
        Interface read;
        try {
          read = interface_from_json(json);
        } catch (const FormatError&) {
          ++refused;
          return;
        }
        for (const KernelInterface& kernel : read.kernels) {
          for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
            const Argument& argument = kernel.arguments[i];
            CHECK(argument.position == i);
            CHECK(argument.type.size <= std::size_t{1} << 26);
            CHECK(leaves_of(argument.type).size() <= std::size_t{1} << 20);
            for (const Leaf& leaf : leaves_of(argument.type))
              CHECK(leaf.offset < argument.type.size);
            CHECK(argument.size.value_or(0) <= std::size_t{1} << 30);
            CHECK(argument.size.value_or(0) * argument.type.size <= std::size_t{1} << 30);
          }
          if (kernel.required_work_group_size)
            for (const std::size_t size : *kernel.required_work_group_size)
              CHECK((size >= 1 && size <= std::size_t{1} << 20));
        }
      });
  CHECK(count > 300);
  CHECK(refused > count / 2);
}

TEST_CASE("A member can repeat no more often than its structure has room") {
  Interface interface = sample_interface();
  Type& body = interface.kernels.front().arguments.front().type;
  body.size = std::size_t{1} << 26;
  body.fields = {{.name = "cells",
                  .offset = 0,
                  .type = scalar_type(Scalar::Char),
                  .dimensions = {1 << 13, 1 << 12}}};
  CHECK_THROWS_AS(interface_from_json(to_json(interface)), FormatError); // 32 million members
  body.fields.front().dimensions = {std::size_t{1} << 63, 2};            // 0 modulo 2^64
  CHECK_THROWS_AS(interface_from_json(to_json(interface)), FormatError);
  body.fields.front().dimensions = {1 << 10, 1 << 10};
  CHECK(interface_from_json(to_json(interface)) == interface);
}
