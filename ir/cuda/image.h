// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of device code that NVRTC and `gputest-cuda -ptx` give to programs. It holds a
// container, because programs treat PTX as a zero-terminated string.
//
//     // Device code for GpuTestCheck's simulator
//     .version 8.5
//     .target sm_80
//     .address_size 64
//     .visible .entry <kernel>();        a line each, and of variables; who runs it looks at none
//     //GPUTCUDA <the container, in base64>
#pragma once

#include "ir/cuda/container.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace gputest::ir::cuda {

constexpr std::string_view kImageHead = "// Device code for GpuTestCheck's simulator\n"
                                        ".version 8.5\n.target sm_80\n.address_size 64\n";
constexpr std::string_view kImageCode = "//GPUTCUDA ";
constexpr std::string_view kDigits64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Returns the text of a container. `declarations`: the lines of kernels and variables.
inline std::string text_of_image(std::string_view container, std::string_view declarations) {
  std::string text(kImageHead);
  text += declarations;
  text += kImageCode;
  for (std::size_t i = 0; i < container.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 |
             (i + j < container.size() ? static_cast<unsigned char>(container[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      text += i + j > container.size() ? '=' : kDigits64[bits >> (18 - 6 * j) & 63];
  }
  return text + '\n';
}

// Returns the container of a text; nullopt: it is no such text. Does not read beyond the end of the
// last line.
inline std::optional<std::string> container_of_image(const char* text) {
  for (const char letter : kImageHead)
    if (*text++ != letter)
      return std::nullopt;
  while (std::strncmp(text, kImageCode.data(), kImageCode.size()) != 0) {
    text = std::strchr(text, '\n');
    if (!text)
      return std::nullopt;
    ++text;
  }
  text += kImageCode.size();
  std::array<unsigned char, 256> values{};
  for (std::size_t i = 0; i < kDigits64.size(); ++i)
    values[static_cast<unsigned char>(kDigits64[i])] = static_cast<unsigned char>(i);
  std::string container;
  unsigned bits = 0, have = 0;
  for (; *text && *text != '\n' && *text != '='; ++text) {
    bits = bits << 6 | values[static_cast<unsigned char>(*text)];
    have += 6;
    if (have >= 8)
      container += static_cast<char>(bits >> (have -= 8) & 255);
  }
  return container;
}

} // namespace gputest::ir::cuda
