#include "driver/watch/page_server.h"

#include "driver/command_error.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <filesystem>
#include <fstream>

using namespace gputest;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

driver::Answer get(const fs::path& folder, const std::string& target,
                   const std::string& host = "127.0.0.1:80") {
  return driver::answer_to(
      "GET " + target + " HTTP/1.1\r\nAccept: */*\r\nHOST:  " + host + "\r\n\r\n", folder);
}

} // namespace

TEST_CASE("page server: pages of the folder, which wait for a reload") {
  const tests::TemporaryFolder folder;
  const fs::path results = folder.path() / "all results";
  CHECK(get(results, "/").status == 200); // there is no folder yet
  CHECK(get(results, "/coverage.html").status == 404);
  write(results / "report.html", "<meta content=\"default-src 'none'; x\"><body>all</body>");
  write(results / "my kernel/check.json", "{}");
  const driver::Answer page = get(results, "/?a=b");
  CHECK(page.type == "text/html; charset=utf-8");
  CHECK(page.body.find("all<script>new EventSource(") != std::string::npos);
  CHECK(page.body.find("default-src 'none'; connect-src 'self'; x") != std::string::npos);
  CHECK(get(results, "/report.html").body == page.body);
  CHECK(get(results, "/my%20kernel/check.json").body == "{}");
  CHECK(get(results, "/my%20kernel/check.json").type == "application/json");
  CHECK(get(results, "/", "localhost").status == 200);
  CHECK(get(results, "/gputest-events").is_stream);
}

TEST_CASE("page server: what is refused") {
  const tests::TemporaryFolder folder;
  const fs::path results = folder.path() / "results", secret = folder.path() / "secret.html";
  write(secret, "secret");
  write(results / "report.html", "all");
  fs::create_symlink(secret, results / "link.html");
  fs::create_directories(folder.path() / "results-2");
  for (const char* const target :
       {"/../secret.html", "/%2e%2e/secret.html", "/..%2fsecret.html", "/link.html",
        "/a/../../secret.html", "/../results-2/x", "//etc/passwd", "/%2fetc/passwd"}) {
    INFO(target);
    const driver::Answer answer = get(results, target);
    CHECK((answer.status == 403 || answer.status == 404));
    CHECK(answer.body.find("secret") == std::string::npos);
    CHECK(answer.body.find("root:") == std::string::npos);
  }
  for (const char* const host : {"evil.example", "evil.example:80", "127.0.0.1.evil.example", ""})
    CHECK(get(results, "/", host).status == 403);
  for (const char* const target : {"/%", "/%4", "/%zz", "/a%00b", "report.html", ""}) {
    INFO(target);
    CHECK(get(results, target).status == 400);
  }
  CHECK(get(results, "/none.html").status == 404);
  CHECK(get(results, "/..").status == 403);
  CHECK(driver::answer_to("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n", results).status == 405);
  for (const char* const head : {"", "\r\n\r\n", "GET /\r\n\r\n", "GET / FTP\r\n\r\n"})
    CHECK(driver::answer_to(head, results).status == 400);
}

TEST_CASE("page server: a port that is taken") {
  const tests::TemporaryFolder folder;
  const driver::PageServer server(folder.path(), 0);
  CHECK(server.port() != 0);
  CHECK_THROWS_AS(driver::PageServer(folder.path(), server.port()), driver::CommandError);
}
