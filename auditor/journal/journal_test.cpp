#include "auditor/journal/journal.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace kernel_audit::journal {
namespace {

class JournalTest : public ::testing::Test {
 protected:
  JournalTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "journal-test-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    path_ = folder_ + "/journal.jsonl";
  }
  ~JournalTest() override { std::filesystem::remove_all(folder_); }

  static Record evidence(const std::string& task, int number, const std::string& status = "ok") {
    Record record;
    record.kind = "evidence";
    record.stage = Stage::kEval;
    record.key = {{"task", task}};
    record.status = status;
    record.evidence = {{"number", number}};
    return record;
  }

  std::string text() const {
    std::ifstream file(path_, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    return content.str();
  }
  void set_text(const std::string& content) const { std::ofstream(path_, std::ios::binary) << content; }

  void write_three() const {
    Result<Journal> journal = Journal::open(path_);
    ASSERT_TRUE(journal) << journal.error().describe();
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(journal->append(evidence("1/" + std::to_string(i), i)));
  }

  std::string folder_, path_;
};

TEST_F(JournalTest, KeepsEveryAttemptAndFindsTheLast) {
  {
    Result<Journal> journal = Journal::open(path_);
    ASSERT_TRUE(journal);
    ASSERT_TRUE(journal->append(evidence("1/1", 1, "timeout")));
    ASSERT_TRUE(journal->append(evidence("1/1", 2)));
    ASSERT_TRUE(journal->append(evidence("1/2", 3)));
  }
  Result<Journal> journal = Journal::open(path_);
  ASSERT_TRUE(journal);
  EXPECT_EQ(journal->records().size(), 4U);  // with the header
  EXPECT_EQ(journal->attempts(Stage::kEval, {{"task", "1/1"}}), 2);
  EXPECT_EQ(journal->attempts(Stage::kFilters, {{"task", "1/1"}}), 0);
  ASSERT_NE(journal->last(Stage::kEval, {{"task", "1/1"}}), nullptr);
  EXPECT_EQ(journal->last(Stage::kEval, {{"task", "1/1"}})->evidence["number"], 2);
  EXPECT_EQ(journal->last(Stage::kEval, {{"task", "1/3"}}), nullptr);
}

TEST_F(JournalTest, HalfALastLineIsDroppedWhereverItWasCut) {
  write_three();
  const std::string whole = text();
  const std::size_t last_line = whole.rfind('\n', whole.size() - 2) + 1;
  for (std::size_t cut = last_line; cut < whole.size(); ++cut) {
    set_text(whole.substr(0, cut));
    Result<Journal> journal = Journal::open(path_);
    ASSERT_TRUE(journal) << "cut at " << cut;
    EXPECT_EQ(journal->records().size(), 3U);
    EXPECT_EQ(journal->dropped_bytes(), cut - last_line);
    ASSERT_TRUE(journal->append(evidence("1/9", 9)));
    EXPECT_TRUE(verify(path_)->intact) << "cut at " << cut;
  }
}

TEST_F(JournalTest, TamperingIsFound) {
  write_three();
  const std::string whole = text();
  std::vector<std::string> lines;
  std::istringstream stream(whole);
  for (std::string line; std::getline(stream, line);) lines.push_back(line + "\n");
  ASSERT_EQ(lines.size(), 4U);

  std::string edited = whole;
  edited.replace(edited.find("\"number\":1"), 10, "\"number\":7");
  set_text(edited);
  EXPECT_FALSE(verify(path_)->intact);
  EXPECT_EQ(verify(path_)->first_bad_line, 4U) << "the line after the edited one does not follow it";
  EXPECT_FALSE(Journal::open(path_)) << "nothing is appended to a broken chain";

  set_text(lines[0] + lines[2] + lines[3]);
  EXPECT_EQ(verify(path_)->first_bad_line, 2U);
  set_text(lines[0] + lines[2] + lines[1] + lines[3]);
  EXPECT_EQ(verify(path_)->first_bad_line, 2U);
  set_text(whole + lines[3]);
  EXPECT_EQ(verify(path_)->first_bad_line, 5U);
  set_text(whole + "noise\n");
  EXPECT_EQ(verify(path_)->first_bad_line, 5U);
  set_text(whole);
  EXPECT_TRUE(verify(path_)->intact);
}

TEST_F(JournalTest, OneWriterAtATime) {
  Result<Journal> first = Journal::open(path_);
  ASSERT_TRUE(first);
  Result<Journal> second = Journal::open(path_);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::kUsage);
  EXPECT_TRUE(read(path_)) << "readers need no lock";
}

TEST_F(JournalTest, BytesThatAreNoUtf8DoNotBreakIt) {
  {
    Result<Journal> journal = Journal::open(path_);
    ASSERT_TRUE(journal);
    Record record = evidence("1/1", 1);
    record.evidence["text"] = std::string("\xff\xfe ok");
    ASSERT_TRUE(journal->append(std::move(record)));
  }
  EXPECT_TRUE(verify(path_)->intact);
  EXPECT_TRUE(Journal::open(path_));
}

TEST_F(JournalTest, AnythingElseIsAClearError) {
  EXPECT_FALSE(read(folder_ + "/absent.jsonl"));
  set_text("{\"schema\":\"something-else\"}\n");
  Result<std::vector<Record>> records = read(path_);
  ASSERT_FALSE(records);
  EXPECT_NE(records.error().describe().find("journal.jsonl:1"), std::string::npos) << records.error().describe();
}

}  // namespace
}  // namespace kernel_audit::journal
