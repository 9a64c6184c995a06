#include "runtime/cases/npy.h"

#include "gputest/error.h"
#include "runtime/cases/python_literal.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <nlohmann/json.hpp>

using namespace gputest;
using namespace gputest::runtime;
using model::Scalar;
using model::Type;
using tests::contains;
using tests::message_of;

namespace {

std::string npy(const std::string& header, const std::string& data, char version = 1) {
  std::string text = "\x93NUMPY";
  text += version;
  text += '\0';
  text += static_cast<char>(header.size() & 0xff);
  text += static_cast<char>(header.size() >> 8);
  if (version > 1)
    text += std::string(2, '\0');
  return text + header + data;
}

std::string header(const std::string& dtype, const std::string& shape, bool fortran = false) {
  return "{'descr': " + dtype + ", 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }\n";
}

Type body() { // struct { char kind; float mass[2]; }
  Type type;
  type.kind = Type::Kind::Struct;
  type.name = "Body";
  type.size = 12;
  type.alignment = 4;
  type.fields = {{"kind", 0, model::scalar_type(Scalar::Char), {}},
                 {"mass", 4, model::scalar_type(Scalar::Float), {2}}};
  return type;
}

std::string refusal(const std::string& content, const Type& type) {
  const tests::TemporaryFolder folder;
  const auto file = folder.write("a.npy", content);
  const std::string message = message_of<UsageError>([&] { read_npy(file, type); });
  if (message.empty())
    return "";
  CHECK(contains(message, "a.npy: error: "));
  return message.substr(message.find("error: ") + 7);
}

const Type kInt32 = model::scalar_type(Scalar::Int);

} // namespace

TEST_CASE("arrays are written and read again, of every scalar type") {
  const tests::TemporaryFolder folder;
  for (const Scalar scalar :
       {Scalar::Bool, Scalar::Char, Scalar::UChar, Scalar::Short, Scalar::UShort, Scalar::Int,
        Scalar::UInt, Scalar::Long, Scalar::ULong, Scalar::Half, Scalar::Float, Scalar::Double})
    for (const Type& type : {model::scalar_type(scalar), model::vector_type(scalar, 4)}) {
      Bytes bytes(type.size * 5);
      for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>(i * 7 % 251);
      write_npy(folder.path() / "a.npy", type, bytes);
      CHECK(read_npy(folder.path() / "a.npy", type) == bytes);
      CHECK(std::filesystem::file_size(folder.path() / "a.npy") % 64 == bytes.size() % 64);
    }
}

TEST_CASE("a 3-vector has three numbers in the file and four on the device") {
  const tests::TemporaryFolder folder;
  const std::string data("\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0\6\0\0\0", 24);
  const auto file = folder.write("a.npy", npy(header("'<i4'", "(2, 3)"), data));
  const Bytes bytes = read_npy(file, model::vector_type(Scalar::Int, 3));
  REQUIRE(bytes.size() == 32);
  CHECK(load<int>(bytes.data() + 8) == 3);
  CHECK(load<int>(bytes.data() + 16) == 4);
}

TEST_CASE("versions 2 and 3, any shape of scalars, native byte order") {
  const tests::TemporaryFolder folder;
  const std::string data(24, '\1');
  for (const char version : {char{1}, char{2}, char{3}})
    CHECK(read_npy(folder.write("a.npy", npy(header("'<i4'", "(2, 3)"), data, version)), kInt32)
              .size() == 24);
  CHECK(read_npy(folder.write("a.npy", npy(header("\"=i4\"", "(6,)"), data)), kInt32).size() == 24);
  CHECK(read_npy(folder.write("a.npy", npy(header("'<i4'", "()"), "abcd")), kInt32).size() == 4);
}

TEST_CASE("structs come as structured dtypes, as void and as bytes") {
  const tests::TemporaryFolder folder;
  const std::string data(24, '\2');
  const std::string padded = "[('kind', '|i1'), ('', '|V3'), ('mass', '<f4', (2,))]";
  for (const auto& [dtype, shape] : {std::pair<std::string, std::string>{padded, "(2,)"},
                                     {"'|V12'", "(2,)"},
                                     {"'|u1'", "(2, 12)"}})
    CHECK(read_npy(folder.write("a.npy", npy(header(dtype, shape), data)), body()).size() == 24);
  const std::string packed = "[('kind', '|i1'), ('mass', '<f4', (2,))]";
  CHECK(contains(refusal(npy(header(packed, "(2,)"), data), body()), "align=True"));
}

TEST_CASE("a file that is not right says what is wrong with it") {
  CHECK(contains(refusal(npy(header("'<f4'", "(1,)"), "abcd"), kInt32),
                 "the dtype is <f4, expected <i4 for 'int'"));
  CHECK(contains(refusal(npy(header("'>i4'", "(1,)"), "abcd"), kInt32), "big endian"));
  CHECK(contains(refusal(npy(header("'<i4'", "(1,)", true), "abcd"), kInt32), "Fortran order"));
  CHECK(contains(refusal(npy(header("'<i4'", "(2,)"), "abcd"), kInt32),
                 "truncated: 2 elements of 4 bytes are announced, 4 bytes are there"));
  CHECK(contains(refusal(npy(header("'<i4'", "(1,)"), "abcdefgh"), kInt32), "4 bytes too many"));
  CHECK(contains(refusal(npy(header("'<i4'", "(4,)"), std::string(16, 'x')),
                         model::vector_type(Scalar::Int, 4)),
                 "the shape is (4), expected (n, 4) for 'int4'"));
  CHECK(contains(refusal("hello", kInt32), "not a .npy file"));
  CHECK(contains(refusal("", kInt32), "not a .npy file"));
  CHECK(contains(refusal(npy(header("'<i4'", "(1,)"), "abcd", 9), kInt32), "version 9"));
  CHECK(contains(refusal(npy("{'descr': '<i4'}", ""), kInt32), "lacks"));
  CHECK(contains(refusal(npy("{'descr': ", ""), kInt32), "cannot be read"));
  CHECK(contains(refusal(npy(header("'<i4'", "(1,)"), "").substr(0, 30), kInt32),
                 "within the header"));
  CHECK(
      contains(refusal(npy(header("'<i4'", "(4611686018427387904, 4)"), ""), kInt32), "truncated"));
  CHECK(contains(refusal(npy(header("'<i4'", "(-1,)"), "abcd"), kInt32), "truncated"));
  CHECK(contains(refusal(npy(header("'U'", "(1,)"), "abcd"), kInt32), "dtype"));
  CHECK(contains(message_of<UsageError>([] { read_npy("no-such.npy", kInt32); }),
                 "no-such.npy: error: cannot be read"));
}

TEST_CASE("no prefix of a good file crashes the reader, and none is accepted") {
  const std::string whole =
      npy(header("[('kind', '|i1'), ('', '|V3'), ('mass', '<f4', (2,))]", "(2,)"),
          std::string(24, '\2'));
  for (std::size_t length = 0; length < whole.size(); ++length)
    REQUIRE(refusal(whole.substr(0, length), body()) != "");
  CHECK(refusal(whole, body()) == "");
}

TEST_CASE("A literal of Python is read as Python reads it") {
  CHECK(parse_python_literal("{'a': (1,), 'b': [True, None], \"c\": (2)}") ==
        nlohmann::ordered_json::parse(R"({"a": [1], "b": [true, null], "c": 2})"));
  for (const char* wrong : {"", "{", "{1: 2}", "[1", "'abc", "(1 2)", "yes", "1 2", "{'a' 1}"})
    CHECK_THROWS_AS(parse_python_literal(wrong), std::invalid_argument);
}
