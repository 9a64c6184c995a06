// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "store/store.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sha2.h>
#include <span>

namespace gputest::store {

std::string content_hash(std::string_view content) {
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
  SHA256Final(digest.data(), &context);
  return fmt::format("{:02x}", fmt::join(std::span(digest).first<16>(), ""));
}

} // namespace gputest::store
