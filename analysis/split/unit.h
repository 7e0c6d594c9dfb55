// Units of a candidate and where each of their bytes came from. The splitter cuts a candidate into
// Python and CUDA/C++ units; a unit embedded in Python (a string passed to load_inline, RawKernel, …)
// carries an OffsetMap from each of its bytes to the user's file, so that positions never depend on
// presumed locations: a candidate's own `#line` moves nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/facts/facts.h"
#include "auditor/core/source_span.h"

namespace kernel_audit::analysis::split {

// [unit_begin, unit_begin + length) came from file bytes starting at file_begin. `exact`: one unit byte
// per file byte, in order; otherwise (escape sequence, folded expression) all of it maps to the range
// [file_begin, file_end).
struct Segment {
  std::int64_t unit_begin = 0;
  std::int64_t length = 0;
  std::string file;
  std::int64_t file_begin = 0;
  std::int64_t file_end = 0;
  bool exact = true;
};

class OffsetMap {
 public:
  static OffsetMap identity(const std::string& file, std::int64_t size_bytes);
  void append(const Segment& segment);  // at the end of the unit
  void append(const OffsetMap& other);  // concatenation
  OffsetMap slice(std::int64_t begin, std::int64_t end) const;
  // Smallest user-file span that covers unit bytes [begin, end); only offsets and file are filled.
  SourceSpan resolve(std::int64_t begin, std::int64_t end) const;
  std::int64_t size() const { return size_; }
  const std::vector<Segment>& segments() const { return segments_; }

 private:
  std::vector<Segment> segments_;
  std::int64_t size_ = 0;
};

struct SourceUnit {
  std::string name;  // Facts Unit::name
  facts::UnitLanguage language = facts::UnitLanguage::kPython;
  std::string text;
  OffsetMap map;
  facts::Id facts_unit = facts::kNone;       // its index in Facts::units once lowered
  std::string extension;                     // "ext:fused_ops": extension module it is built into, or empty
  std::vector<std::string> bound_functions;  // functions=[…] of load_inline
  std::vector<std::string> build_flags;
  bool bare_kernel_source = false;  // RawKernel/RawModule/NVRTC source: no host code, implicit extern "C" entry
};

// Files a unit may include, in memory only: neighbours of the candidate by their relative path.
struct VirtualFile {
  std::string path;
  std::string file;  // as the user named it
  std::string text;
};

}  // namespace kernel_audit::analysis::split
