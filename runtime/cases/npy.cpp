// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/npy.h"

#include "gputest/error.h"
#include "runtime/cases/python_literal.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

namespace gputest::runtime {
namespace {

using Json = nlohmann::ordered_json;
using model::Scalar;
using model::Type;

constexpr std::string_view kMagic{"\x93NUMPY", 6};
constexpr std::size_t kMaximumHeader = 1 << 20;

struct Header {
  Json dtype; // "<f4", or [["name", dtype, [dimensions]], …]
  std::vector<std::size_t> shape;
  std::size_t data_offset = 0;

  std::size_t count() const {
    std::size_t product = 1;
    for (const std::size_t extent : shape) {
      if (extent != 0 && product > std::numeric_limits<std::size_t>::max() / extent)
        return std::numeric_limits<std::size_t>::max();
      product *= extent;
    }
    return product;
  }
};

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& problem) {
  throw UsageError(fmt::format("{}: error: {}", file.string(), problem));
}

std::string text_of(const Json& dtype) { // whose texts may not be UTF-8
  return dtype.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string dtype_of(Scalar scalar) {
  const char kind = model::is_floating(scalar) ? 'f'
                    : scalar == Scalar::Bool   ? 'b'
                    : model::is_signed(scalar) ? 'i'
                                               : 'u';
  const std::size_t size = model::size_of(scalar);
  return fmt::format("{}{}{}", size == 1 ? '|' : '<', kind, size);
}

bool is_dtype_of(Scalar scalar, const std::string& dtype) {
  const std::string expected = dtype_of(scalar);
  const bool little = !dtype.empty() && dtype[0] != '>';
  return little && (dtype.substr(1) == expected.substr(1) ||
                    (scalar == Scalar::Bool && dtype.substr(1) == "u1"));
}

Header parse_header(const std::filesystem::path& file, const std::string& content) {
  if (content.size() < 10 || content.compare(0, kMagic.size(), kMagic) != 0)
    fail(file, "not a .npy file; write one with numpy.save");
  const auto byte = [&](std::size_t at) {
    return static_cast<std::size_t>(static_cast<unsigned char>(content[at]));
  };
  const std::size_t version = byte(6);
  if (version < 1 || version > 3)
    fail(file, fmt::format(".npy version {} is unknown; versions 1 to 3 are read", version));
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t begin = 8 + length_bytes;
  if (content.size() < begin)
    fail(file, "truncated within the header");
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i)
    length |= byte(8 + i) << (8 * i);
  if (length > kMaximumHeader || content.size() < begin + length)
    fail(file, "truncated within the header");

  Header header;
  header.data_offset = begin + length;
  try {
    const Json dictionary = parse_python_literal(std::string_view(content).substr(begin, length));
    header.dtype = dictionary.at("descr");
    if (dictionary.at("fortran_order").get<bool>())
      fail(file, "the array is in Fortran order; save numpy.ascontiguousarray(a) instead");
    header.shape = dictionary.at("shape").get<std::vector<std::size_t>>();
  } catch (const nlohmann::json::exception&) {
    fail(file, "the header lacks descr, fortran_order or shape");
  } catch (const std::invalid_argument& error) {
    fail(file, fmt::format("the header cannot be read: {}", error.what()));
  }
  return header;
}

std::size_t dtype_size(const Json& dtype);

// The limit of an element's size. No kernel has larger structures, and products below it do not
// wrap.
constexpr std::size_t kLargestDtype = std::size_t{1} << 30;

std::size_t checked_product(std::size_t a, std::size_t b) {
  if (a > kLargestDtype || b > kLargestDtype || a * b > kLargestDtype)
    throw std::out_of_range("a dtype that large is none of a kernel's");
  return a * b;
}

std::size_t field_count(const Json& field) {
  std::size_t count = 1;
  if (field.size() > 2)
    for (const Json& extent : field[2].is_array() ? field[2] : Json::array({field[2]}))
      count = checked_product(count, extent.get<std::size_t>());
  return count;
}

std::size_t dtype_size(const Json& dtype) {
  if (dtype.is_string())
    return std::stoul(dtype.get<std::string>().substr(2));
  std::size_t size = 0;
  for (const Json& field : dtype)
    size = checked_product(size + checked_product(field_count(field), dtype_size(field.at(1))), 1);
  return size;
}

struct DtypeLeaf {
  std::size_t offset;
  std::string dtype;
};

void collect_leaves(const Json& dtype, std::size_t offset, std::vector<DtypeLeaf>& leaves) {
  if (dtype.is_string()) {
    if (dtype.get<std::string>().substr(1, 1) != "V") // padding
      leaves.push_back({offset, dtype.get<std::string>()});
    return;
  }
  for (const Json& field : dtype) {
    const std::size_t size = dtype_size(field.at(1));
    for (std::size_t i = 0; size > 0 && i < field_count(field); ++i, offset += size)
      collect_leaves(field.at(1), offset, leaves);
  }
}

bool has_members_of(const Json& dtype, const Type& element) {
  if (dtype_size(dtype) != element.size)
    return false;
  std::vector<DtypeLeaf> found;
  collect_leaves(dtype, 0, found);
  const std::vector<model::Leaf> expected = model::leaves_of(element);
  if (found.size() != expected.size())
    return false;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i].offset != expected[i].offset || !is_dtype_of(expected[i].scalar, found[i].dtype))
      return false;
  return true;
}

void expect_last_dimension(const std::filesystem::path& file, Header& header, std::size_t extent,
                           const Type& element) {
  if (header.shape.size() < 2 || header.shape.back() != extent)
    fail(file, fmt::format("the shape is ({}), expected (n, {}) for '{}'",
                           fmt::join(header.shape, ", "), extent, element.name));
  header.shape.pop_back();
}

// Bytes of one element in the file. Checks dtype and shape and takes the element's own dimension
// off the shape.
std::size_t match(const std::filesystem::path& file, Header& header, const Type& element) {
  const auto wrong_dtype = [&](const std::string& expected) {
    const std::string found =
        header.dtype.is_string() ? header.dtype.get<std::string>() : text_of(header.dtype);
    fail(file,
         fmt::format("the dtype is {}, expected {} for '{}'{}", found, expected, element.name,
                     found.starts_with('>') ? "; it is big endian, convert with .astype" : ""));
  };
  const std::string dtype = header.dtype.is_string() ? header.dtype.get<std::string>() : "";
  switch (element.kind) {
  case Type::Kind::Scalar:
  case Type::Kind::Vector:
    if (!is_dtype_of(element.scalar, dtype))
      wrong_dtype(dtype_of(element.scalar));
    if (element.kind == Type::Kind::Vector)
      expect_last_dimension(file, header, element.width, element);
    return element.width * model::size_of(element.scalar);
  case Type::Kind::Struct:
  case Type::Kind::Union:
    if (dtype == fmt::format("|V{}", element.size))
      return element.size;
    if (dtype == "|u1") {
      expect_last_dimension(file, header, element.size, element);
      return element.size;
    }
    if (!header.dtype.is_array() || !has_members_of(header.dtype, element))
      wrong_dtype(fmt::format("|V{} or a structured dtype with align=True and the same members",
                              element.size));
    return element.size;
  default:
    fail(file, fmt::format("values of type '{}' cannot come from a file", element.name));
  }
}

// A file whose header fits its element and its size.
struct Opened {
  std::ifstream stream;
  std::size_t data_offset = 0, count = 0, stride = 0; // elements; bytes of one in the file
};

Opened open_npy(const std::filesystem::path& file, const Type& element) {
  Opened opened;
  if (std::filesystem::is_regular_file(file))
    opened.stream.open(file, std::ios::binary);
  if (!opened.stream.is_open())
    fail(file, "cannot be read");
  const auto size = static_cast<std::size_t>(std::filesystem::file_size(file));
  std::string beginning(std::min(size, kMaximumHeader + 16), '\0');
  if (!opened.stream.read(beginning.data(), static_cast<std::streamsize>(beginning.size())))
    fail(file, "cannot be read");

  Header header = parse_header(file, beginning);
  try {
    opened.stride = match(file, header, element);
  } catch (const std::logic_error&) { // stoul, substr
    fail(file, fmt::format("the dtype {} is unknown", text_of(header.dtype)));
  } catch (const nlohmann::json::exception&) {
    fail(file, fmt::format("the dtype {} is unknown", text_of(header.dtype)));
  }
  opened.data_offset = header.data_offset;
  opened.count = header.count();
  const std::size_t available = size - header.data_offset;
  if (opened.count > available / opened.stride)
    fail(file, fmt::format("truncated: {} elements of {} bytes are announced, {} bytes are there",
                           opened.count, opened.stride, available));
  if (opened.count * opened.stride < available)
    fail(file,
         fmt::format("{} bytes too many after the data", available - opened.count * opened.stride));
  return opened;
}

} // namespace

std::size_t npy_elements(const std::filesystem::path& file, const Type& element) {
  return open_npy(file, element).count;
}

Bytes read_npy(const std::filesystem::path& file, const Type& element) {
  Opened opened = open_npy(file, element);
  opened.stream.seekg(static_cast<std::streamoff>(opened.data_offset));
  Bytes elements(opened.count * element.size);
  auto* const to = reinterpret_cast<char*>(elements.data());
  if (opened.stride == element.size)
    opened.stream.read(to, static_cast<std::streamsize>(elements.size()));
  else
    for (std::size_t i = 0; i < opened.count; ++i) // a 3-vector is stored as 4 on the device
      opened.stream.read(to + i * element.size, static_cast<std::streamsize>(opened.stride));
  if (!opened.stream)
    fail(file, "cannot be read to its end");
  return elements;
}

void write_npy(const std::filesystem::path& file, const Type& element,
               std::span<const std::byte> elements) {
  const bool numeric = element.kind == Type::Kind::Scalar || element.kind == Type::Kind::Vector;
  const std::size_t stride =
      numeric ? element.width * model::size_of(element.scalar) : element.size;
  const std::size_t count = elements.size() / element.size;
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},{}), }}",
                  numeric ? dtype_of(element.scalar) : fmt::format("|V{}", element.size), count,
                  element.kind == Type::Kind::Vector ? fmt::format(" {}", element.width) : "");
  // The format wants the data to begin at a multiple of 64.
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
  header += '\n';

  std::ofstream stream(file, std::ios::binary);
  stream << kMagic << '\1' << '\0' << static_cast<char>(header.size() & 0xff)
         << static_cast<char>(header.size() >> 8) << header;
  for (std::size_t i = 0; i < count; ++i)
    stream.write(reinterpret_cast<const char*>(elements.data() + i * element.size),
                 static_cast<std::streamsize>(stride));
  stream.close();
  if (!stream)
    fail(file, "cannot be written");
}

} // namespace gputest::runtime
