// Kernels whose arguments are given as the documentation says.
#pragma once

#include "runtime/cases/npy.h"
#include "runtime/cases/values.h"
#include "tests/runtime/described_project.h"

#include <regex>
#include <set>

namespace gputest::tests {

class Described : public DescribedProject {
public:
  explicit Described(const std::string& source) : DescribedProject(source) {
    const auto ints = [&](const std::string& name, std::size_t count) {
      runtime::write_npy(
          folder.path() / name, kInt,
          runtime::filled(kInt, count,
                          {.kind = runtime::Fill::Kind::Iota, .low = {}, .high = {}, .value = {}},
                          0, "a.npy"));
    };
    ints("a.npy", 4096);
    ints("four.npy", 4);
  }

  // "a.npy" is a file of the project, as it is for who writes a CMakeLists.txt.
  void arguments(const std::vector<std::string>& specs) {
    description["arguments"] = nlohmann::json::array();
    for (const std::string& spec : specs)
      description["arguments"].push_back(
          std::regex_replace(spec, std::regex("\\b(\\w+\\.npy)"), folder.path().string() + "/$1"));
  }
};

inline std::string document(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(std::string(GPUTEST_DOCS) + "/" + name).rdbuf();
  return text.str();
}

inline std::string between(const std::string& text, const std::string& begin,
                           const std::string& end) {
  const std::size_t from = text.find(begin);
  REQUIRE(from != std::string::npos);
  const std::size_t to = text.find(end, from);
  REQUIRE(to != std::string::npos);
  return text.substr(from, to - from);
}

inline std::set<std::string> code_in(const std::string& text) {
  static const std::regex code("`([^`]+)`");
  std::set<std::string> words;
  for (std::sregex_iterator at(text.begin(), text.end(), code), end; at != end; ++at)
    words.insert((*at)[1]);
  return words;
}

// What `arguments` of a case make a kernel leave, and arguments that are refused.
struct CaseRow {
  std::string arguments, shows, mistake, refusal;
};

// All cases in one run; the mistakes one by one.
inline void check_cases(const std::string& kernel, const std::vector<CaseRow>& rows) {
  Described project(kernel);
  const auto json = [](const std::string& arguments) {
    return R"({"arguments": )" + arguments + "}";
  };
  for (std::size_t i = 0; i < rows.size(); ++i)
    project.add_case("case " + std::to_string(i), json(rows[i].arguments));
  const auto right = project.run({"--verbose"});
  INFO(right.output);
  CHECK(right.exit_code == 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CAPTURE(rows[i].arguments, rows[i].mistake);
    const std::size_t from = right.output.find("case 'case " + std::to_string(i) + "'");
    REQUIRE(from != std::string::npos);
    const std::size_t to = right.output.find("case 'case ", from + 1);
    CHECK(contains(right.output.substr(from, to - from), "out afterwards" + rows[i].shows));
    project.description["test_cases"] = nlohmann::json::array();
    project.add_case("wrong", json(rows[i].mistake));
    const auto wrong = project.run();
    CAPTURE(wrong.output);
    CHECK(wrong.exit_code == 2);
    CHECK(contains(wrong.output, rows[i].refusal));
  }
}

inline constexpr const char* kOut = R"("out": {"size": 4})";

inline std::string with_out(const std::string& arguments) {
  return "{" + arguments + ", " + kOut + "}";
}

} // namespace gputest::tests
