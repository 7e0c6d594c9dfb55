#include "auditor/core/metric.h"

#include "auditor/core/names.h"

namespace kernel_audit {
namespace {

constexpr Names<Origin, 4> kOrigins = {{{Origin::kRefereeClock, "referee-clock"},
                                        {Origin::kRefereeMemory, "referee-memory"},
                                        {Origin::kSource, "source"},
                                        {Origin::kCandidateProcess, "candidate-process"}}};

constexpr Names<Hint, 7> kHints = {{{Hint::kPlain, "plain"},
                                    {Hint::kDuration, "duration"},
                                    {Hint::kRatio, "ratio"},
                                    {Hint::kBytes, "bytes"},
                                    {Hint::kCount, "count"},
                                    {Hint::kPercent, "percent"},
                                    {Hint::kError, "error"}}};

}  // namespace

const char* to_string(Origin origin) { return name_of(kOrigins, origin); }
std::optional<Origin> origin_from_string(const std::string& text) { return value_of(kOrigins, text); }
const char* to_string(Hint hint) { return name_of(kHints, hint); }
std::optional<Hint> hint_from_string(const std::string& text) { return value_of(kHints, text); }

}  // namespace kernel_audit
