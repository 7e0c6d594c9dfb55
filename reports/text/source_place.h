// What formats for machines need to know of a place: the artifact that holds it, columns in characters, and a
// fingerprint of a finding that survives edits elsewhere in the file.
#pragma once

#include <string>
#include <string_view>

#include "reports/text/finding_text.h"

namespace kernel_audit::reports {

// A SourceSpan::file taken apart: "a.jsonl:record 17:custom_code" lies inside the file "a.jsonl".
struct ArtifactName {
  std::string path;   // real file, as the user named it
  std::string inner;  // "record 17/custom_code", empty for a whole file
};
ArtifactName artifact_of(const std::string& file);

// RFC 3986 reference to `path`: percent-encoded, absolute paths as file URIs.
std::string uri_of(const std::string& path);

// The line of `text` that holds byte `offset`, without its line feed.
std::string_view line_at(std::string_view text, std::size_t offset);

// 1-based columns of both ends of `span` in Unicode characters; 0 when the text is not at hand.
struct CharacterColumns {
  int begin = 0, end = 0;
};
CharacterColumns character_columns(const SourceSpan& span, const Sources& sources);

// Digest of the rule, the file's name as it is given in `file`, and the words of the source line: lines above may come
// and go. Findings alike in all three share it. Without a source line the message takes its place.
std::string fingerprint(const Finding& finding, const std::string& file, const Sources& sources);

}  // namespace kernel_audit::reports
