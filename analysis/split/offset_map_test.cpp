#include <gtest/gtest.h>

#include <random>

#include "analysis/split/locator.h"
#include "analysis/split/text.h"

namespace kernel_audit::analysis::split {
namespace {

// A model to compare with: for each unit byte, its range in the file.
struct Slow {
  std::string bytes;
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
};

struct Pair {
  Text text;
  Slow slow;
};

// Exact pieces of `file`, mixed with pieces that stand for a range as a whole.
Pair random_pair(std::mt19937& random, const std::string& file) {
  Pair pair;
  const auto pieces = random() % 6;
  for (unsigned i = 0; i < pieces; ++i) {
    const std::int64_t begin = random() % 90;
    const std::int64_t length = 1 + random() % 9;
    if (random() % 3 == 0) {
      SourceSpan span;
      span.file = "f";
      span.begin = begin;
      span.end = begin + length;
      const std::string made(1 + random() % 3, 'Z');
      pair.text.append(Text::coarse(made, span));
      for (std::size_t k = 0; k < made.size(); ++k) pair.slow.ranges.emplace_back(begin, begin + length);
      pair.slow.bytes += made;
    } else {
      Text piece{file.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(length)), {}};
      piece.map.append(Segment{0, length, "f", begin, begin + length, true});
      pair.text.append(piece);
      for (std::int64_t k = 0; k < length; ++k) pair.slow.ranges.emplace_back(begin + k, begin + k + 1);
      pair.slow.bytes += piece.bytes;
    }
  }
  return pair;
}

void expect_same(const Pair& pair) {
  ASSERT_EQ(pair.text.bytes, pair.slow.bytes);
  ASSERT_EQ(pair.text.map.size(), static_cast<std::int64_t>(pair.slow.bytes.size()));
  const auto size = static_cast<std::int64_t>(pair.slow.ranges.size());
  for (std::int64_t begin = 0; begin < size; ++begin) {
    std::int64_t low = pair.slow.ranges[static_cast<std::size_t>(begin)].first;
    std::int64_t high = pair.slow.ranges[static_cast<std::size_t>(begin)].second;
    for (std::int64_t end = begin + 1; end <= size; ++end) {
      low = std::min(low, pair.slow.ranges[static_cast<std::size_t>(end - 1)].first);
      high = std::max(high, pair.slow.ranges[static_cast<std::size_t>(end - 1)].second);
      const SourceSpan span = pair.text.map.resolve(begin, end);
      ASSERT_EQ(span.begin, low) << begin << " " << end;
      ASSERT_EQ(span.end, high) << begin << " " << end;
      ASSERT_EQ(span.file, "f");
    }
  }
}

std::string file_text() {
  std::string text;
  for (int i = 0; i < 100; ++i) text += static_cast<char>('a' + i % 25);
  return text;
}

TEST(OffsetMap, ConcatenationSlicesAndResolutionAgreeWithOneRangePerByte) {
  std::mt19937 random(7);
  const std::string file = file_text();
  for (int round = 0; round < 400; ++round) {
    Pair left = random_pair(random, file);
    const Pair right = random_pair(random, file);
    left.text.append(right.text);
    left.slow.bytes += right.slow.bytes;
    left.slow.ranges.insert(left.slow.ranges.end(), right.slow.ranges.begin(), right.slow.ranges.end());
    expect_same(left);
    const std::size_t size = left.slow.bytes.size();
    const std::size_t begin = size == 0 ? 0 : random() % size;
    const std::size_t end = begin + (size == begin ? 0 : random() % (size - begin + 1));
    Pair part;
    part.text = left.text.slice(begin, end);
    part.slow.bytes = left.slow.bytes.substr(begin, end - begin);
    part.slow.ranges.assign(left.slow.ranges.begin() + static_cast<std::ptrdiff_t>(begin),
                            left.slow.ranges.begin() + static_cast<std::ptrdiff_t>(end));
    expect_same(part);
  }
}

Text exact(const std::string& file, std::size_t begin, std::size_t length) {
  Text text{file.substr(begin, length), {}};
  text.map.append(Segment{0, static_cast<std::int64_t>(length), "f", static_cast<std::int64_t>(begin),
                          static_cast<std::int64_t>(begin + length), true});
  return text;
}

TEST(Text, ReplaceKeepsThePlacesOfWhatStays) {
  const std::string file = "abc NAME def NAME ghi|value";
  const Text replaced = replace_all(exact(file, 0, 21), "NAME", exact(file, 22, 5));
  EXPECT_EQ(replaced.bytes, "abc value def value ghi");
  EXPECT_EQ(replaced.map.resolve(4, 9).begin, 22);
  EXPECT_EQ(replaced.map.resolve(20, 23).begin, 18);
}

TEST(Text, DedentIsTextwraps) {
  const std::string file = "\n    a\n      b\n   \n\n    c\n  ";
  const Text text = dedent(exact(file, 0, file.size()));
  EXPECT_EQ(text.bytes, "\na\n  b\n\n\nc\n");
  EXPECT_EQ(text.map.resolve(1, 2).begin, static_cast<std::int64_t>(file.find('a')));
  EXPECT_EQ(text.map.resolve(9, 10).begin, static_cast<std::int64_t>(file.find('c')));
}

TEST(Text, StripAndSplit) {
  const std::string file = "  x,y  ";
  EXPECT_EQ(strip(exact(file, 0, 7), Side::kBoth).bytes, "x,y");
  EXPECT_EQ(strip(exact(file, 0, 2), Side::kBoth).bytes, "");
  const std::vector<Text> parts = split_on(exact(file, 2, 3), ",");
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[1].map.resolve(0, 1).begin, 4);
}

TEST(Locator, CountsBytesAndLinesFromOne) {
  Locator locator;
  locator.add("f", "ab\ncd\n");
  SourceSpan span;
  span.file = "f";
  span.begin = 4;
  span.end = 5;
  const SourceSpan found = locator.locate(span);
  EXPECT_EQ(found.line, 2);
  EXPECT_EQ(found.column, 2);
  EXPECT_EQ(found.end_column, 3);
}

}  // namespace
}  // namespace kernel_audit::analysis::split
