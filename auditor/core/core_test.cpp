// Small core types: error texts, spans, names of enums, the version.
#include <gtest/gtest.h>

#include "auditor/core/finding.h"
#include "auditor/core/result.h"
#include "auditor/core/source_span.h"
#include "auditor/core/version.h"

namespace kernel_audit {
namespace {

TEST(Error, DescribesOnlyWhatIsSet) {
  EXPECT_EQ((Error{ErrorKind::kUsage, "No such file.", "a.py", "line 3", "check the path"}).describe(),
            "a.py: line 3: No such file. (check the path)");
  EXPECT_EQ((Error{ErrorKind::kTool, "It failed.", "", "", ""}).describe(), "It failed.");
}

TEST(Result, HoldsAValueOrAnError) {
  Result<int> good = 3;
  EXPECT_TRUE(good.ok());
  EXPECT_EQ(*good, 3);
  Result<int> bad = Error{ErrorKind::kTimeout, "late", "", "", ""};
  EXPECT_FALSE(bad);
  EXPECT_STREQ(to_string(bad.error().kind), "timeout");
}

TEST(SourceSpan, LocatesOffsetsInBytes) {
  const std::string text = "ab\n\xc3\xa9x\n\nlast";
  SourceSpan span;
  span.begin = 5;  // the x after the two-byte letter
  span.end = 6;
  locate(span, text);
  EXPECT_EQ(span.line, 2);
  EXPECT_EQ(span.column, 3);
  EXPECT_EQ(span.end_line, 2);
  EXPECT_EQ(span.end_column, 4);
  span.begin = 0;
  span.end = static_cast<std::int64_t>(text.size());
  locate(span, text);
  EXPECT_EQ(span.line, 1);
  EXPECT_EQ(span.column, 1);
  EXPECT_EQ(span.end_line, 4);
  EXPECT_EQ(span.end_column, 5);
  span.begin = 2;  // the line feed itself belongs to the line it ends
  span.end = 3;
  locate(span, text);
  EXPECT_EQ(span.line, 1);
  EXPECT_EQ(span.column, 3);
  EXPECT_EQ(span.end_line, 2);
  EXPECT_EQ(span.end_column, 1);
}

TEST(SourceSpan, IsUnknownOutsideTheText) {
  for (const std::int64_t begin : {std::int64_t{-1}, std::int64_t{4}}) {
    SourceSpan span;
    span.begin = begin;
    span.end = 9;
    locate(span, "abc");
    EXPECT_FALSE(span.known());
  }
  SourceSpan span;
  span.begin = 3;
  span.end = 99;
  locate(span, "abc");
  EXPECT_TRUE(span.known());
  EXPECT_EQ(span.end_column, 4);
}

TEST(Names, GoBothWays) {
  for (const Effect effect :
       {Effect::kNote, Effect::kReview, Effect::kInconclusive, Effect::kDrop, Effect::kCheat, Effect::kWrong}) {
    EXPECT_EQ(effect_from_string(to_string(effect)), effect);
  }
  for (const Stage stage : {Stage::kFilters, Stage::kAnalysis, Stage::kEval}) {
    EXPECT_EQ(stage_from_string(to_string(stage)), stage);
  }
  for (const Hint hint :
       {Hint::kPlain, Hint::kDuration, Hint::kRatio, Hint::kBytes, Hint::kCount, Hint::kPercent, Hint::kError}) {
    EXPECT_EQ(hint_from_string(to_string(hint)), hint);
  }
  for (const Origin origin :
       {Origin::kRefereeClock, Origin::kRefereeMemory, Origin::kSource, Origin::kCandidateProcess}) {
    EXPECT_EQ(origin_from_string(to_string(origin)), origin);
  }
  EXPECT_FALSE(effect_from_string("").has_value());
  EXPECT_FALSE(origin_from_string("unknown").has_value());
}

TEST(Version, LooksLikeOne) { EXPECT_NE(tool_version().find('.'), std::string_view::npos); }

}  // namespace
}  // namespace kernel_audit
