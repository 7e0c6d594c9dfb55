// How kernel-audit talks to kernel-audit-extract: over one Channel (descriptor 3), one request, one
// answer, in order. The process is reused for many candidates and replaced when it dies, hangs or
// grows over its limit; the candidate in flight then gets a typed fault, which is `inconclusive`.
//
// Request:  {"id": N, "name": "...", "files": [{"file": "...", "path": "...", "language": "python|cuda|cpp", "text":
// "..."}],
//            "python": "/path/to/python3", "limits": {"seconds": S, "bytes": B}}
// Answer:   {"id": N}, a line break and the Facts (facts/facts_packed.h), or
//           {"id": N, "error": {"kind": "...", "message": "..."}}
#pragma once

#include <cstdint>

namespace kernel_audit::analysis {

inline constexpr int kExtractorVersion = 12;  // raised by hand when Facts of an unchanged input change
inline constexpr int kExtractChannelFd = 3;

}  // namespace kernel_audit::analysis
