// What several writers say of a whole report.
#pragma once

#include <string>
#include <vector>

#include "reports/model.h"

namespace kernel_audit::reports {

// How many items got each verdict, in order of precedence.
std::vector<std::pair<Verdict, int>> verdict_counts(const Report& report);

// "12 items: 5 cheat, 3 confirmed, …".
std::string counts_line(const Report& report);

// Of a report of `filter` over numbered tasks, the same for each level: "level 1: 100 items: 61 keep, …".
std::vector<std::string> level_lines(const Report& report);

// Labels are verdicts of a whole run. A stage alone is compared only with a label that it can meet: `lint` can say
// cheat, and never confirmed or wrong.
bool label_applies(const Report& report, const Item& item);
bool label_missed(const Report& report, const Item& item);  // applies, and the verdict is another

// "12 of 12 labelled items got the verdict of their label", and how many labels the command cannot meet; empty when
// nothing is labelled.
std::string labels_line(const Report& report);

// What makes the numbers of this machine untrustworthy: the warnings, then each sandbox layer that is not active.
std::vector<std::string> caveats(const Report& report);

// "cpu (Xeon …, 2 cores), torch 2.11.0, Python 3.11.2": what is known of it.
std::string environment_line(const Environment& environment);

// Sentence that explains the verdict: Item::reason, else that of the first stage that has one or a finding.
std::string reason_of(const Item& item);

std::string number_of_claim(const Item& item);  // "2.50×" or "–"

}  // namespace kernel_audit::reports
