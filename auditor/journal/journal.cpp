#include "auditor/journal/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <sstream>

#include "auditor/core/digest.h"
#include "auditor/core/version.h"

namespace kernel_audit::journal {
namespace {

// What the first line points back to.
const char* const kNoPrevious = "";

Error io_error(const std::string& what, const std::string& path) {
  return {ErrorKind::kTool, what + ": " + std::strerror(errno), path, "", "check free space and permissions"};
}

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::optional<Stage> stage_from_string(const std::string& text) {
  for (const Stage stage : {Stage::kFilters, Stage::kAnalysis, Stage::kEval}) {
    if (text == to_string(stage)) return stage;
  }
  return std::nullopt;
}

std::string line_of(const Record& record, const std::string& previous) {
  Json json = {{"schema", "kernel-audit/journal/" + std::to_string(kFormatVersion)},
               {"seq", record.sequence},
               {"prev", previous},
               {"time", record.time},
               {"kind", record.kind},
               {"stage", to_string(record.stage)},
               {"key", record.key},
               {"status", record.status},
               {"evidence", record.evidence}};
  return dump_json(json);
}

Result<Record> record_of(const Json& json, const std::string& what) {
  try {
    Record record;
    if (json.at("schema").get<std::string>() != "kernel-audit/journal/" + std::to_string(kFormatVersion)) {
      return Error{ErrorKind::kUsage, "this is a journal of another format", what, "schema",
                   "use --fresh, or the version that wrote it"};
    }
    json.at("seq").get_to(record.sequence);
    json.at("time").get_to(record.time);
    json.at("kind").get_to(record.kind);
    const std::optional<Stage> stage = stage_from_string(json.at("stage").get<std::string>());
    if (!stage) return Error{ErrorKind::kUsage, "the stage is not one of ours", what, "stage", ""};
    record.stage = *stage;
    json.at("key").get_to(record.key);
    json.at("status").get_to(record.status);
    record.evidence = json.at("evidence");
    return record;
  } catch (const Json::exception& e) {
    return Error{ErrorKind::kUsage, std::string("this is no line of a journal: ") + e.what(), what, "",
                 "name a journal.jsonl"};
  }
}

// All good lines from the start, the digest of the last one, and what stopped the reading.
struct Scan {
  std::vector<Record> records;
  std::string last_digest = kNoPrevious;
  std::uint64_t good_bytes = 0;
  VerifyReport report;
  Error problem;
};

Scan scan(const std::string& text, const std::string& path) {
  Scan result;
  result.report.intact = true;
  std::uint64_t line_number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) {
      result.report.dropped_bytes = text.size() - begin;
      break;
    }
    ++line_number;
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    const std::string what = path + ":" + std::to_string(line_number);
    const auto stop = [&](Error error) {
      result.report.intact = false;
      result.report.first_bad_line = line_number;
      result.report.problem = error.message;
      result.problem = std::move(error);
    };
    Result<Json> json = parse_json(line, what);
    if (!json) {
      stop({ErrorKind::kUsage, "this line is not JSON", what, "", "name a journal.jsonl"});
      break;
    }
    Result<Record> record = record_of(*json, what);
    if (!record) {
      stop(record.error());
      break;
    }
    if (json->value("prev", Json()) != Json(result.last_digest) || record->sequence != result.records.size()) {
      stop({ErrorKind::kUsage,
            "the line does not follow the one before it: this line or the one before was edited, deleted or moved",
            what, "prev", "use a backup, or --fresh"});
      break;
    }
    result.last_digest = sha256_hex(line);
    result.records.push_back(std::move(*record));
    begin = end + 1;
    result.good_bytes = begin;
  }
  result.report.records = result.records.size();
  result.report.digest = result.last_digest;
  return result;
}

Result<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return Error{ErrorKind::kUsage, "the journal cannot be read", path, "",
                 "name a journal.jsonl or the folder that holds it"};
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Status write_all(int fd, const std::string& text, const std::string& path) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t wrote = ::write(fd, text.data() + at, text.size() - at);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return io_error("the journal could not be written", path);
    at += static_cast<std::size_t>(wrote);
  }
  if (::fdatasync(fd) != 0) return io_error("the journal could not be made durable", path);
  return Ok{};
}

}  // namespace

struct Journal::State {
  std::string path;
  int fd = -1;
  std::uint64_t size_bytes = 0;
  std::vector<Record> records;
  std::string last_digest;
  std::uint64_t dropped_bytes = 0;
  std::map<std::string, std::vector<std::size_t>> by_identity;  // of evidence records

  ~State() {
    if (fd >= 0) ::close(fd);
  }

  void index(std::size_t position) {
    const Record& record = records[position];
    if (record.kind == "evidence") by_identity[identity(record.stage, record.key)].push_back(position);
  }
};

std::string identity(Stage stage, const std::map<std::string, std::string>& key) {
  // As JSON, no value can look like a field.
  return std::string(to_string(stage)) + " " + dump_json(Json(key));
}

Result<Journal> Journal::open(const std::string& path) {
  auto state = std::make_unique<State>();
  state->path = path;
  state->fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (state->fd < 0) return io_error("the journal could not be opened", path);
  if (::flock(state->fd, LOCK_EX | LOCK_NB) != 0) {
    return Error{ErrorKind::kUsage, "another kernel-audit is writing this journal", path, "",
                 "wait for it, or give another --out"};
  }
  Result<std::string> text = read_file(path);
  if (!text) return text.error();
  Scan read = scan(*text, path);
  if (!read.report.intact) return read.problem;
  if (read.report.dropped_bytes != 0 && ::ftruncate(state->fd, static_cast<off_t>(read.good_bytes)) != 0) {
    return io_error("half a last line could not be removed", path);
  }
  if (::lseek(state->fd, 0, SEEK_END) < 0) return io_error("the journal could not be positioned", path);
  state->size_bytes = read.good_bytes;
  state->records = std::move(read.records);
  state->last_digest = std::move(read.last_digest);
  state->dropped_bytes = read.report.dropped_bytes;
  for (std::size_t i = 0; i < state->records.size(); ++i) state->index(i);
  Journal journal(std::move(state));
  if (journal.records().empty()) {
    Record header;
    header.kind = "header";
    header.status = "ok";
    header.evidence = {{"format", kFormatVersion}, {"tool_version", tool_version()}};
    if (Status status = journal.append(std::move(header)); !status) return status.error();
  }
  return journal;
}

Journal::Journal(std::unique_ptr<State> state) : state_(std::move(state)) {}
Journal::Journal(Journal&&) noexcept = default;
Journal& Journal::operator=(Journal&&) noexcept = default;
Journal::~Journal() = default;

Status Journal::append(Record record) {
  record.sequence = state_->records.size();
  record.time = now_utc();
  const std::string line = line_of(record, state_->last_digest);
  if (Status status = write_all(state_->fd, line + "\n", state_->path); !status) {
    // A line that is half there must not be followed by a whole one.
    if (::ftruncate(state_->fd, static_cast<off_t>(state_->size_bytes)) == 0) ::lseek(state_->fd, 0, SEEK_END);
    return status;
  }
  state_->size_bytes += line.size() + 1;
  state_->last_digest = sha256_hex(line);
  state_->records.push_back(std::move(record));
  state_->index(state_->records.size() - 1);
  return Ok{};
}

const std::vector<Record>& Journal::records() const { return state_->records; }
std::uint64_t Journal::dropped_bytes() const { return state_->dropped_bytes; }

const Record* Journal::last(Stage stage, const std::map<std::string, std::string>& key) const {
  const auto found = state_->by_identity.find(identity(stage, key));
  return found == state_->by_identity.end() ? nullptr : &state_->records[found->second.back()];
}

int Journal::attempts(Stage stage, const std::map<std::string, std::string>& key) const {
  const auto found = state_->by_identity.find(identity(stage, key));
  return found == state_->by_identity.end() ? 0 : static_cast<int>(found->second.size());
}

Result<VerifyReport> verify(const std::string& path) {
  Result<std::string> text = read_file(path);
  if (!text) return text.error();
  return scan(*text, path).report;
}

Result<std::vector<Record>> read(const std::string& path) {
  Result<std::string> text = read_file(path);
  if (!text) return text.error();
  Scan result = scan(*text, path);
  if (!result.report.intact) return result.problem;
  return std::move(result.records);
}

}  // namespace kernel_audit::journal
