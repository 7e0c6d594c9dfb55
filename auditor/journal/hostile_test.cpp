// What a hostile or unlucky file looks like: every byte edited, lines moved, random bytes, killed writers.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "auditor/journal/journal.h"

namespace kernel_audit::journal {
namespace {

namespace fs = std::filesystem;

class HostileJournalTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "ka-journal-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    path_ = (folder_ / "journal.jsonl").string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  static Record evidence(const std::string& task, int value, Stage stage = Stage::kFilters) {
    Record record;
    record.kind = "evidence";
    record.stage = stage;
    record.key = {{"task", task}, {"device", "cpu"}};
    record.status = "ok";
    record.evidence = {{"value", value}};
    return record;
  }
  void write_some() {
    auto journal = Journal::open(path_);
    ASSERT_TRUE(journal.ok()) << journal.error().describe();
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(journal->append(evidence("1/" + std::to_string(i), i)).ok());
  }
  std::string content() const {
    std::ifstream file(path_, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  void put(const std::string& text) const { std::ofstream(path_, std::ios::binary | std::ios::trunc) << text; }
  std::vector<std::string> lines() const {
    std::vector<std::string> result;
    std::istringstream text(content());
    for (std::string line; std::getline(text, line);) result.push_back(line);
    return result;
  }
  void put_lines(const std::vector<std::string>& all) const {
    std::string text;
    for (const std::string& line : all) text += line + "\n";
    put(text);
  }
  // The first bad line according to both readers, which must agree.
  std::uint64_t first_bad() const {
    const auto report = verify(path_);
    EXPECT_TRUE(report.ok());
    EXPECT_EQ(report->intact, read(path_).ok());
    EXPECT_EQ(report->intact, report->problem.empty());
    return report->first_bad_line;
  }
  fs::path folder_;
  std::string path_;
};

TEST_F(HostileJournalTest, EveryEditedByteIsFound) {
  write_some();
  const std::string whole = content();
  // The last line has no follower that holds its hash; what is in it is only checked for form.
  const std::size_t last_line = whole.rfind('\n', whole.size() - 2) + 1;
  for (std::size_t at = 0; at < last_line; ++at) {
    std::string edited = whole;
    edited[at] = edited[at] == '7' ? '8' : '7';
    put(edited);
    const auto line =
        static_cast<std::uint64_t>(std::count(whole.begin(), whole.begin() + static_cast<long>(at), '\n'));
    const std::uint64_t bad = first_bad();
    // The line itself when it no longer reads, else the next one, whose hash no longer fits.
    ASSERT_TRUE(bad == line + 1 || bad == line + 2) << "byte " << at << " bad " << bad;
    ASSERT_FALSE(Journal::open(path_).ok());
    ASSERT_EQ(content(), edited) << "a broken journal is not written to";
  }
}

TEST_F(HostileJournalTest, RemovedRepeatedAndMovedLinesAreFound) {
  write_some();
  const auto all = lines();
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    auto changed = all;
    changed.erase(changed.begin() + static_cast<long>(i));
    put_lines(changed);
    EXPECT_EQ(first_bad(), i + 1) << "removed " << i;
    changed = all;
    changed.insert(changed.begin() + static_cast<long>(i), all[i]);
    put_lines(changed);
    EXPECT_EQ(first_bad(), i + 2) << "repeated " << i;
    changed = all;
    std::swap(changed[i], changed[i + 1]);
    put_lines(changed);
    EXPECT_EQ(first_bad(), i + 1) << "swapped " << i;
    changed = all;
    changed.insert(changed.begin() + static_cast<long>(i), "");
    put_lines(changed);
    EXPECT_EQ(first_bad(), i + 1) << "empty line before " << i;
  }
}

TEST_F(HostileJournalTest, CuttingWholeLinesOffTheEndShowsOnlyInTheCount) {
  write_some();
  const auto before = verify(path_);
  auto all = lines();
  all.pop_back();
  put_lines(all);
  const auto after = verify(path_);
  EXPECT_TRUE(after->intact);
  EXPECT_NE(after->records, before->records);
}

TEST_F(HostileJournalTest, UnknownFormatVersionIsAnError) {
  write_some();
  auto all = lines();
  Json header = Json::parse(all[0]);
  header["schema"] = "kernel-audit/journal/" + std::to_string(kFormatVersion + 1);
  put_lines({header.dump()});
  EXPECT_EQ(first_bad(), 1U);
}

TEST_F(HostileJournalTest, RandomBytesNeverCrashAReader) {
  write_some();
  const std::string whole = content();
  std::mt19937 random(11);
  for (int round = 0; round < 2000; ++round) {
    std::string text = whole;
    for (unsigned i = 0; i < 1 + random() % 8; ++i) text[random() % text.size()] = static_cast<char>(random());
    if (random() % 4 == 0) text.resize(random() % text.size());
    if (random() % 4 == 0) text.insert(random() % text.size(), "\n");
    put(text);
    const auto report = verify(path_);
    ASSERT_TRUE(report.ok());
    ASSERT_LE(report->records, 5U);
  }
}

TEST_F(HostileJournalTest, IdentityDoesNotMixUpFields) {
  EXPECT_EQ(identity(Stage::kEval, {{"a", "1"}, {"b", "2"}}), identity(Stage::kEval, {{"b", "2"}, {"a", "1"}}));
  EXPECT_NE(identity(Stage::kEval, {{"a", "1"}}), identity(Stage::kFilters, {{"a", "1"}}));
  EXPECT_NE(identity(Stage::kEval, {{"a", "1\",\"b\":\"2"}}), identity(Stage::kEval, {{"a", "1"}, {"b", "2"}}));
}

// A writer that is killed at a random moment loses at most the record that it was writing.
TEST_F(HostileJournalTest, AKilledWriterLosesAtMostTheRecordInFlight) {
  std::mt19937 random(3);
  std::uint64_t known = 0;
  // On a busy machine a writer may get to write nothing in its few milliseconds: then there are more rounds.
  for (int round = 0; round < 15 || (known <= 10 && round < 500); ++round) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t writer = ::fork();
    if (writer == 0) {
      auto journal = Journal::open(path_);
      for (int i = 0; journal.ok(); ++i) {
        if (!journal->append(evidence("x", i)).ok()) break;
        const std::uint64_t count = journal->records().size();
        (void)!::write(ends[1], &count, sizeof count);
      }
      ::_exit(1);
    }
    ::close(ends[1]);
    ::usleep(static_cast<useconds_t>(2000 + random() % 20000));
    ::kill(writer, SIGKILL);
    ::waitpid(writer, nullptr, 0);
    std::uint64_t count = 0, confirmed = known;
    while (::read(ends[0], &count, sizeof count) == sizeof count) confirmed = count;
    ::close(ends[0]);
    const auto report = verify(path_);
    if (!report.ok()) continue;  // killed before it made the file
    ASSERT_TRUE(report->intact || report->records == 0) << report->problem;
    ASSERT_GE(report->records, confirmed);
    ASSERT_LE(report->records, std::max<std::uint64_t>(confirmed, known) + 2);
    known = report->records;
  }
  EXPECT_GT(known, 10U);
}

}  // namespace
}  // namespace kernel_audit::journal
