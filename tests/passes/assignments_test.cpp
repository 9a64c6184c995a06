// Assignments of integers whose mutants never differ, against all values of 8-bit variables.
#include "frontend/flatten.h"
#include "frontend/parse.h"
#include "passes/mutation/mutants.h"
#include "process/scratch_folder.h"
#include "tests/catch.h"

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace gputest;

constexpr std::array kAssignments{
    "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="};

// What the variable has afterwards; nullopt: nothing that is defined. C++ computes as C does: in
// int, and in as many bits as the shift is taken by.
template <typename Variable>
std::optional<Variable> after(std::string_view assignment, Variable variable, int operand) {
  const int x = variable;
  if (assignment == "=")
    return static_cast<Variable>(operand);
  if (assignment == "+=")
    return static_cast<Variable>(x + operand);
  if (assignment == "-=")
    return static_cast<Variable>(x - operand);
  if (assignment == "*=")
    return static_cast<Variable>(x * operand);
  if (assignment == "&=")
    return static_cast<Variable>(x & operand);
  if (assignment == "|=")
    return static_cast<Variable>(x | operand);
  if (assignment == "^=")
    return static_cast<Variable>(x ^ operand);
  if (assignment == "<<=")
    return static_cast<Variable>(static_cast<unsigned>(x) << (operand & 31));
  if (assignment == ">>=")
    return static_cast<Variable>(x >> (operand & 31));
  if (operand == 0)
    return std::nullopt;
  return static_cast<Variable>(assignment == "/=" ? x / operand : x % operand);
}

template <typename Variable>
bool differs(std::string_view one, std::string_view other, int operand) {
  for (int value = -128; value < 256; ++value)
    if (after(one, static_cast<Variable>(value), operand) !=
        after(other, static_cast<Variable>(value), operand))
      return true;
  return false;
}

// The assignments that take the place of each line's.
std::map<unsigned, std::set<std::string>> mutants_by_line(const std::string& text) {
  const process::ScratchFolder folder("gputest-assignments");
  frontend::SourceOptions options;
  options.file = (folder.path() / "case.cl").string();
  std::ofstream(options.file) << text;
  const frontend::FlatSource flat = llvm::cantFail(frontend::flatten(options));
  std::map<unsigned, std::set<std::string>> found;
  const std::string problem =
      llvm::toString(frontend::parse(flat, options, [&](const frontend::Tree& tree) {
        for (const model::Mutant& mutant : passes::mutation::mutate(tree, "case.cl").table.mutants)
          if (mutant.operators.front() == "assignment_replacement") {
            const std::size_t first = mutant.replacement.find(' ') + 1;
            found[mutant.line].insert(
                mutant.replacement.substr(first, mutant.replacement.find(' ', first) - first));
          }
        return llvm::Error::success();
      }));
  REQUIRE(problem == "");
  return found;
}

} // namespace

TEST_CASE("mutants of assignments are those that some value tells apart", "[mutation]") {
  struct Row {
    std::string assignment;
    int operand;
    bool is_signed;
  };
  std::vector<Row> rows;
  std::string text = "__kernel void k ( __global uchar * a , __global char * b ) {\n";
  for (const std::string assignment : kAssignments)
    for (const int operand : {0, 1, -1, 2, 3, 7, 8, 64, 127, 128, 255, 256, 257})
      for (const bool is_signed : {false, true})
        if (operand != 0 || (assignment != "/=" && assignment != "%="))
          if (operand >= 0 || (assignment != "<<=" && assignment != ">>=")) {
            rows.push_back({assignment, operand, is_signed});
            text += fmt::format("{} {} {} ;\n", is_signed ? "*b" : "*a", assignment, operand);
          }
  const auto found = mutants_by_line(text + "}\n");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [assignment, operand, is_signed] = rows[i];
    const auto mutants = found.find(static_cast<unsigned>(i) + 2);
    REQUIRE(mutants != found.end());
    for (const std::string other : kAssignments) {
      if (other == assignment)
        continue;
      INFO((is_signed ? "char" : "uchar")
           << ": " << assignment << " to " << other << " with " << operand);
      CHECK(mutants->second.contains(other) ==
            (is_signed ? differs<std::int8_t>(assignment, other, operand)
                       : differs<std::uint8_t>(assignment, other, operand)));
    }
  }
}
