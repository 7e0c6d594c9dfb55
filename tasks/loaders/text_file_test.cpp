#include "tasks/loaders/text_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tasks/loaders/names.h"
#include "tasks/loaders/temp_tree.h"

namespace kernel_audit::tasks {
namespace {

TEST(TextFault, AcceptsAnyUtf8Text) {
  EXPECT_FALSE(text_fault(""));
  EXPECT_FALSE(text_fault("\xEF\xBB\xBFimport torch\r\n\x0c\x1b[0m"));
  EXPECT_FALSE(text_fault("caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"));
}

TEST(TextFault, NamesThePlaceOfTheFault) {
  EXPECT_EQ(text_fault(std::string("ab\ncd\0e", 7)), "the text has a NUL byte at byte 5 (line 2)");
  EXPECT_EQ(text_fault("ab\n\xFF"), "the text is not valid UTF-8 at byte 3 (line 2)");
}

TEST(TextFault, RefusesIllFormedSequences) {
  for (const char* bad :
       {"\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80",
        "\xF5\x80\x80\x80", "\x80", "\xE2\x82", "\xC3", "\xE2\x28\xA1", "\xF0\x9F\x98\x28"}) {
    EXPECT_TRUE(text_fault(bad)) << bad;
  }
  for (const char* good : {"\xC2\x80", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_FALSE(text_fault(good)) << good;
  }
}

TEST(ReadFile, KeepsEveryByte) {
  const TempTree tree;
  const std::string text("\xEF\xBB\xBFline\r\n\0\xFFlast", 15);
  tree.write("a.py", text);
  const auto read = read_file(tree.path("a.py"), 100);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, text);
}

TEST(ReadFile, RefusesWhatIsTooLargeAbsentOrNoFile) {
  const TempTree tree;
  tree.write("big.py", std::string(101, 'x'));
  ASSERT_EQ(::mkfifo(tree.path("pipe.py").c_str(), 0600), 0);
  const auto big = read_file(tree.path("big.py"), 100);
  ASSERT_FALSE(big.ok());
  EXPECT_EQ(big.error().message, "the file has 101 bytes, more than the limit of 100");
  EXPECT_FALSE(read_file(tree.path("absent.py"), 100).ok());
  const auto pipe = read_file(tree.path("pipe.py"), 100);  // must return, not wait for a writer
  ASSERT_FALSE(pipe.ok());
  EXPECT_EQ(pipe.error().message, "is not a regular file");
  EXPECT_FALSE(read_file(tree.path(), 100).ok());
}

TEST(Names, ParseWhatKernelBenchWrites) {
  EXPECT_EQ(leading_id("9_Tall.py"), 9);
  EXPECT_EQ(leading_id("007_x"), 7);
  EXPECT_EQ(leading_id("x_9"), std::nullopt);
  EXPECT_EQ(leading_id("_x"), std::nullopt);
  EXPECT_EQ(leading_id("99999999999999_x"), std::nullopt);
  EXPECT_EQ(leading_id("-1_x"), std::nullopt);
  EXPECT_EQ(level_of_directory("level1"), 1);
  EXPECT_EQ(level_of_directory("level_12"), 12);
  EXPECT_EQ(level_of_directory("levels"), std::nullopt);
  EXPECT_EQ(level_of_directory("level1x"), std::nullopt);
  const auto run = parse_run_name("level_2_problem_31_sample_4_kernel.py");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->level, 2);
  EXPECT_EQ(run->problem, 31);
  EXPECT_EQ(run->sample, 4);
  EXPECT_EQ(run->name, "level_2_problem_31_sample_4");
  EXPECT_TRUE(parse_run_name("level_2_problem_31_sample_4_kernel.cu"));
  EXPECT_FALSE(parse_run_name("level_2_problem_31_sample_4.py"));
  EXPECT_FALSE(parse_run_name("level_2_problem__sample_4_kernel.py"));
  EXPECT_FALSE(parse_run_name("level_2_problem_31_sample_4_kernel.txt"));
}

TEST(Names, StemsAndLanguages) {
  EXPECT_EQ(stem("a/b.c/x.tar.py"), "x.tar");
  EXPECT_EQ(stem("a.b/x"), "x");
  EXPECT_EQ(stem(".py"), ".py");
  EXPECT_EQ(language_of("x.CU"), Language::kCuda);
  EXPECT_EQ(language_of("x.cc"), Language::kCpp);
  EXPECT_EQ(language_of("x.txt"), std::nullopt);
  EXPECT_EQ(language_of(".py"), std::nullopt);
}

}  // namespace
}  // namespace kernel_audit::tasks
