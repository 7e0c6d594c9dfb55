#include <algorithm>

#include "analysis/split/unit.h"

namespace kernel_audit::analysis::split {
namespace {

// Index of the segment that holds unit byte `offset` (the last one when it is past the end).
std::size_t segment_at(const std::vector<Segment>& segments, std::int64_t offset) {
  const auto after = std::upper_bound(segments.begin(), segments.end(), offset,
                                      [](std::int64_t value, const Segment& s) { return value < s.unit_begin; });
  return after == segments.begin() ? 0 : static_cast<std::size_t>(after - segments.begin() - 1);
}

// The part of `segment` that covers unit bytes [begin, end), which must overlap it.
Segment clip(const Segment& segment, std::int64_t begin, std::int64_t end) {
  Segment part = segment;
  const std::int64_t from = std::max(begin, segment.unit_begin);
  const std::int64_t to = std::min(end, segment.unit_begin + segment.length);
  if (segment.exact) {
    part.file_begin = segment.file_begin + (from - segment.unit_begin);
    part.file_end = part.file_begin + (to - from);
  }
  part.unit_begin = from;
  part.length = to - from;
  return part;
}

}  // namespace

OffsetMap OffsetMap::identity(const std::string& file, std::int64_t size_bytes) {
  OffsetMap map;
  map.append(Segment{0, size_bytes, file, 0, size_bytes, true});
  return map;
}

void OffsetMap::append(const Segment& segment) {
  if (segment.length <= 0) return;
  Segment next = segment;
  next.unit_begin = size_;
  size_ += next.length;
  if (!segments_.empty()) {
    Segment& last = segments_.back();
    const bool continues = last.exact && next.exact && last.file_end == next.file_begin;
    const bool same_range =
        !last.exact && !next.exact && last.file_begin == next.file_begin && last.file_end == next.file_end;
    if (last.file == next.file && (continues || same_range)) {
      last.length += next.length;
      last.file_end = next.file_end;
      return;
    }
  }
  segments_.push_back(std::move(next));
}

void OffsetMap::append(const OffsetMap& other) {
  if (&other == this) {
    append(OffsetMap(other));
    return;
  }
  for (const Segment& segment : other.segments_) append(segment);
}

OffsetMap OffsetMap::slice(std::int64_t begin, std::int64_t end) const {
  OffsetMap map;
  begin = std::clamp<std::int64_t>(begin, 0, size_);
  end = std::clamp<std::int64_t>(end, begin, size_);
  if (begin == end) return map;
  for (std::size_t i = segment_at(segments_, begin); i < segments_.size() && segments_[i].unit_begin < end; ++i) {
    map.append(clip(segments_[i], begin, end));
  }
  return map;
}

SourceSpan OffsetMap::resolve(std::int64_t begin, std::int64_t end) const {
  SourceSpan span;
  if (segments_.empty()) return span;
  begin = std::clamp<std::int64_t>(begin, 0, size_);
  end = std::clamp<std::int64_t>(end, begin, size_);
  if (begin == end) {  // a point: the place of the byte that follows, or the end of the last byte
    const Segment& at = segments_[segment_at(segments_, begin)];
    const std::int64_t inside = begin - at.unit_begin;
    span.file = at.file;
    span.begin = at.exact ? at.file_begin + inside : (inside >= at.length ? at.file_end : at.file_begin);
    span.end = span.begin;
    return span;
  }
  for (std::size_t i = segment_at(segments_, begin); i < segments_.size() && segments_[i].unit_begin < end; ++i) {
    const Segment part = clip(segments_[i], begin, end);
    if (span.file.empty() && span.begin < 0) {
      span.file = part.file;
      span.begin = part.file_begin;
      span.end = part.file_end;
    } else if (part.file == span.file) {  // bytes of another file cannot be in one span: the first file wins
      span.begin = std::min(span.begin, part.file_begin);
      span.end = std::max(span.end, part.file_end);
    }
  }
  return span;
}

}  // namespace kernel_audit::analysis::split
