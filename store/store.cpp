// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "store/store.h"

#include "store/sqlite.h"

#include <fmt/format.h>
#include <thread>

namespace gputest::store {
namespace fs = std::filesystem;
namespace {

// The file's header has these, where file(1) and other tools look: whose database this is, and its
// version.
constexpr std::int64_t kApplication = 0x47507554; // "GPuT"
constexpr std::int64_t kVersion = 1;

constexpr std::chrono::seconds kPatience{20};

constexpr std::string_view kSchema = R"(
  PRAGMA application_id = {};
  PRAGMA user_version = {};
  CREATE TABLE outcomes (
    program TEXT NOT NULL,
    mutant TEXT NOT NULL,
    test_case TEXT NOT NULL,
    item_order TEXT NOT NULL,
    runs INTEGER NOT NULL,
    noticed INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    seconds REAL NOT NULL,
    written INTEGER NOT NULL,
    PRIMARY KEY (program, mutant, test_case, item_order)) WITHOUT ROWID;
  CREATE TABLE documents (
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    written INTEGER NOT NULL,
    PRIMARY KEY (name, kind));
)";

std::int64_t now() { // nanoseconds since 1970
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Returns true if the file is a store, and false if it is empty, like a file whose creator was
// killed. Throws if it is anything else. Call this in a transaction.
bool is_store(const Connection& connection) {
  const std::int64_t application = connection.number("PRAGMA application_id");
  const std::int64_t version = connection.number("PRAGMA user_version");
  if (application == kApplication && version == kVersion)
    return true;
  if (application == kApplication)
    throw StoreError(
        fmt::format("{}: error: is a store of version {}, and this gputest has version {}; delete "
                    "it, and results will be run again, or use the gputest that wrote it",
                    connection.file().string(), version, kVersion),
        2);
  if (application != 0 || version != 0 ||
      connection.number("SELECT count(*) FROM sqlite_master") != 0)
    throw StoreError(fmt::format("{}: error: is a database of another program; choose another file",
                                 connection.file().string()),
                     2);
  return false;
}

bool checked(const Connection& connection) {
  const Transaction transaction(connection, Access::Read);
  return is_store(connection);
}

// SQLite does not wait by itself if several processes do this at once.
void switch_to_log(const Connection& connection) {
  const auto until = std::chrono::steady_clock::now() + connection.patience();
  while (true) {
    const int code =
        sqlite3_exec(connection.handle(), "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
    if (code == SQLITE_OK)
      return;
    if ((code & 0xff) != SQLITE_BUSY || std::chrono::steady_clock::now() >= until)
      connection.fail(code);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

Connection open_to_write(const fs::path& file, std::chrono::milliseconds patience) {
  Connection connection(file, Access::Write, patience);
  if (!checked(connection)) {
    // The log is memory that all processes share, so they must be on one machine.
    if (!is_on_network(file))
      switch_to_log(connection);
    Transaction transaction(connection, Access::Write);
    if (!is_store(connection)) // another process may have been faster
      connection.execute(fmt::format(kSchema, kApplication, kVersion).c_str());
    transaction.commit();
  }
  // Committed outcomes are in the log, which survives the process. Only a failing machine can lose
  // the last outcomes, and it never leaves a damaged store.
  connection.execute("PRAGMA synchronous = NORMAL");
  return connection;
}

Connection open_to_read(const fs::path& file, std::chrono::milliseconds patience) {
  Connection connection(file, Access::Read, patience);
  if (!checked(connection))
    throw StoreError(
        fmt::format("{}: error: is empty; give a store that gputest has written", file.string()),
        2);
  return connection;
}

// Copies rows that `to` lacks or has an older version of, with all columns in order. Returns how
// many.
std::size_t copy(const Connection& from, const Connection& to, const std::string& select,
                 const std::string& insert, int columns) {
  Statement rows(from, select), write(to, insert);
  const sqlite3_int64 before = sqlite3_total_changes64(to.handle());
  while (rows.next())
    write.bind_row(rows, columns).run();
  return static_cast<std::size_t>(sqlite3_total_changes64(to.handle()) - before);
}

model::Verdict verdict_in(const Connection& connection, const std::string& name) {
  if (const auto known = model::named<model::Verdict>(name))
    return *known;
  connection.fail_as_damaged(fmt::format("there is no verdict '{}'", name));
}

// Returns the outcomes that both have, with different verdicts.
std::vector<Conflict> conflicts(const Connection& from, const Connection& to) {
  std::vector<Conflict> found;
  Statement rows(from, "SELECT program, mutant, test_case, item_order, verdict, written FROM "
                       "outcomes");
  Statement known(to, "SELECT verdict, written FROM outcomes WHERE program = ? AND mutant = ? AND "
                      "test_case = ? AND item_order = ? AND verdict <> ?");
  while (rows.next()) {
    const std::string verdict = rows.text(4);
    if (!known.bind_row(rows, 5).next())
      continue;
    const auto theirs = std::pair(rows.number(5), verdict);
    const auto ours = std::pair(known.number(1), known.text(0));
    const bool replaced = theirs > ours;
    found.push_back({rows.text(0), rows.text(1), rows.text(2), rows.text(3),
                     verdict_in(replaced ? from : to, (replaced ? theirs : ours).second),
                     verdict_in(replaced ? to : from, (replaced ? ours : theirs).second),
                     replaced});
  }
  return found;
}

} // namespace

class Store::Database {
public:
  Database(const fs::path& file, std::chrono::milliseconds patience)
      : connection(open_to_write(file, patience)),
        put(connection, "REPLACE INTO outcomes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)") {}

  Connection connection;
  Statement put;
};

Store::Store(const fs::path& file, std::chrono::milliseconds patience)
    : database_(std::make_unique<Database>(file, patience)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

void Store::put(const std::string& program, const Outcome& outcome) {
  const std::string_view reason = outcome.reason ? model::name_of(*outcome.reason) : "";
  database_->put
      .bind(program, outcome.mutant, outcome.test_case, outcome.order, std::int64_t{outcome.runs},
            std::int64_t{outcome.noticed}, model::name_of(outcome.verdict), reason, outcome.detail,
            outcome.seconds, now())
      .run();
}

std::vector<Outcome> Store::outcomes(const std::string& program) const {
  const Connection& connection = database_->connection;
  Statement rows(connection, "SELECT mutant, test_case, item_order, runs, noticed, verdict, "
                             "reason, detail, seconds FROM outcomes WHERE program = ?");
  rows.bind(program);
  std::vector<Outcome> found;
  while (rows.next()) {
    const std::string verdict = rows.text(5), reason = rows.text(6);
    Outcome& outcome = found.emplace_back(Outcome{.mutant = rows.text(0),
                                                  .test_case = rows.text(1),
                                                  .order = rows.text(2),
                                                  .runs = static_cast<unsigned>(rows.number(3)),
                                                  .noticed = static_cast<unsigned>(rows.number(4)),
                                                  .reason = model::named<model::KillReason>(reason),
                                                  .detail = rows.text(7),
                                                  .seconds = rows.real(8)});
    if (!reason.empty() && !outcome.reason)
      connection.fail_as_damaged(fmt::format("there is no reason '{}'", reason));
    outcome.verdict = verdict_in(connection, verdict);
  }
  return found;
}

Merged Store::merge(const fs::path& other) {
  const Connection& connection = database_->connection;
  const Connection from = open_to_read(other, connection.patience());
  Merged merged;
  std::error_code ignored;
  if (fs::equivalent(other, connection.file(), ignored))
    return merged;
  Transaction transaction(connection, Access::Write);
  merged.conflicts = conflicts(from, connection);
  merged.changed =
      copy(from, connection,
           "SELECT program, mutant, test_case, item_order, runs, noticed, verdict, reason, detail, "
           "seconds, written FROM outcomes",
           "INSERT INTO outcomes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
           "ON CONFLICT DO UPDATE SET runs = excluded.runs, noticed = excluded.noticed, "
           "verdict = excluded.verdict, reason = excluded.reason, detail = excluded.detail, "
           "seconds = excluded.seconds, written = excluded.written "
           "WHERE (excluded.written, excluded.verdict, excluded.reason, excluded.detail, "
           "excluded.noticed, excluded.runs, excluded.seconds) > (outcomes.written, "
           "outcomes.verdict, outcomes.reason, outcomes.detail, outcomes.noticed, outcomes.runs, "
           "outcomes.seconds)",
           11);
  copy(from, connection, "SELECT name, kind, text, written FROM documents",
       "INSERT INTO documents VALUES (?, ?, ?, ?) "
       "ON CONFLICT DO UPDATE SET text = excluded.text, written = excluded.written "
       "WHERE (excluded.written, excluded.text) > (documents.written, documents.text)",
       4);
  transaction.commit();
  return merged;
}

void Store::put_document(const std::string& name, const std::string& kind,
                         const std::string& text) {
  Statement(database_->connection, "REPLACE INTO documents VALUES (?, ?, ?, ?)")
      .bind(name, kind, text, now())
      .run();
}

void Store::remove_document(const std::string& name, const std::string& kind) {
  Statement(database_->connection, "DELETE FROM documents WHERE name = ? AND kind = ?")
      .bind(name, kind)
      .run();
}

std::string Store::document(const std::string& name, const std::string& kind) const {
  Statement row(database_->connection, "SELECT text FROM documents WHERE name = ? AND kind = ?");
  return row.bind(name, kind).next() ? row.text(0) : "";
}

void require_store(const fs::path& file) {
  open_to_read(file, kPatience);
}

bool has_outcomes(const fs::path& file) {
  return checked(Connection(file, Access::Read, kPatience));
}

} // namespace gputest::store
