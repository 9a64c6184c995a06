// What device code declares, in the words of PTX: programs that read PTX find kernels and variables
// there.
#pragma once

#include <string>

namespace gputest::cuda::compiler {

// Reads a listing in LLVM's language. Returns a line ".visible .entry <kernel>();" for each kernel,
// and for each variable of the device ".visible .global .b8 <variable>;", or with " = <function>"
// where its value is the address of one.
std::string declarations_of(const std::string& listing);

// A name of LLVM's language, which may be in quotes.
std::string name_at(const std::string& line, std::size_t begin);

} // namespace gputest::cuda::compiler
