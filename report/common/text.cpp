// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/common/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace gputest::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD

constexpr char32_t kByteOrderMark = 0xFEFF; // has no width

struct Decoded {
  char32_t code_point = 0;
  std::size_t length = 0; // bytes; 0: no UTF-8 here
};

// One code point at the start of `text`; RFC 3629, section 4.
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80)
    return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length)
    return {};
  char32_t code_point = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80)
      return {};
    code_point = code_point << 6U | (byte(i) & 0x3FU);
  }
  const bool overlong =
      (length == 3 && code_point < 0x800) || (length == 4 && code_point < 0x10000);
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (overlong || surrogate || code_point > 0x10FFFF)
    return {};
  return {code_point, length};
}

bool is_unwanted(char32_t code_point) {
  return (code_point >= 0x80 && code_point <= 0x9F) || (code_point & 0xFFFEU) == 0xFFFE ||
         (code_point >= 0x202A && code_point <= 0x202E) ||
         (code_point >= 0x2066 && code_point <= 0x2069);
}

void append_control_picture(std::string& out, unsigned char control) {
  const unsigned picture = control == 0x7F ? 0x21U : control; // U+2421 is DELETE's
  out += "\xE2\x90";
  out += static_cast<char>(0x80U + picture);
}

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80;
}

} // namespace

std::string clean(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Decoded decoded = decode(text);
    const std::size_t length = decoded.length == 0 ? 1 : decoded.length;
    if (decoded.code_point == kByteOrderMark) { // some editors put it at the beginning of files
      text.remove_prefix(length);
      continue;
    }
    if (decoded.length == 0 || is_unwanted(decoded.code_point))
      out += kReplacement;
    else if ((decoded.code_point < 0x20 && decoded.code_point != '\t') ||
             decoded.code_point == 0x7F)
      append_control_picture(out, static_cast<unsigned char>(text.front()));
    else
      out += text.substr(0, length);
    text.remove_prefix(length);
  }
  return out;
}

std::string clean_lines(std::string_view text) {
  std::string out;
  for (const std::string_view line : split_lines(text))
    out += clean(line) + '\n';
  out.pop_back();
  return out;
}

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : clean(text)) {
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      out += c;
    }
  }
  return out;
}

std::string breakable(std::string_view text) {
  std::string out;
  for (const char c : escape(text)) {
    out += c;
    if (c == '/' || c == '_')
      out += "<wbr>";
  }
  return out;
}

std::string inline_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) // in JSON it occurs in strings only
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  return out;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  do {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  } while (!text.empty());
  return lines;
}

std::size_t width_of(std::string_view utf8) {
  std::size_t width = 0;
  for (const char byte : utf8)
    width += is_continuation(byte) ? 0 : 1;
  return width;
}

std::string padding(std::string_view utf8, std::size_t width) {
  return std::string(width - std::min(width, width_of(utf8)), ' ');
}

std::string elide_middle(std::string_view utf8, std::size_t width) {
  const std::size_t have = width_of(utf8);
  if (have <= width)
    return std::string(utf8);
  if (width == 0)
    return "";
  const std::size_t tail = (width - 1) / 2, head = width - 1 - tail;
  std::string out;
  std::size_t index = 0; // of the code point after the one being looked at
  for (const char byte : utf8) {
    index += is_continuation(byte) ? 0 : 1;
    if (index == head + 1 && !is_continuation(byte))
      out += "…";
    if (index <= head || index > have - tail)
      out += byte;
  }
  return out;
}

std::string percent_text(const model::Tally& tally) {
  const auto percent = tally.percent();
  return percent ? fmt::format("{} %", std::floor(*percent)) : "–";
}

std::string fill_in(std::string_view template_text,
                    const std::map<std::string, std::string, std::less<>>& values) {
  std::string out;
  for (;;) {
    const std::size_t open = template_text.find("{{");
    out += template_text.substr(0, open);
    if (open == std::string_view::npos)
      return out;
    const std::size_t close = template_text.find("}}", open);
    if (close == std::string_view::npos)
      throw std::logic_error("a template's {{ has no }}");
    const std::string_view name = template_text.substr(open + 2, close - open - 2);
    const auto value = values.find(name);
    if (value == values.end())
      throw std::logic_error(
          fmt::format("a template asks for {{{{{}}}}}, which nobody gives", name));
    out += value->second;
    template_text.remove_prefix(close + 2);
  }
}

} // namespace gputest::report
