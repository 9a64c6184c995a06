// Catch2, whichever of its versions 2 and 3 is there. Version 2 has no library with a main():
// tests/catch_main.cpp is that.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
namespace gputest::tests {
using Approx = Catch::Approx;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
} // namespace gputest::tests
#else
#include <catch2/catch.hpp>
namespace gputest::tests {
using Approx = Catch::Detail::Approx;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
inline auto ContainsSubstring(const std::string& text) {
  return Catch::Matchers::Contains(text);
}
} // namespace gputest::tests
#endif
