// What several rules need: lists of names in sentences, notes, and questions about all alternatives.
#pragma once

#include <string>
#include <vector>

#include "analysis/facts/model.h"
#include "auditor/core/finding.h"

namespace kernel_audit::analysis::rules {

// "at::matmul, at::relu and 3 more": distinct names in order of occurrence.
std::string name_list(const facts::Model& model, const std::vector<facts::NodeId>& nodes, std::size_t limit = 3);

// "returned here", and the calls from forward that lead to the first of `nodes`.
std::vector<FlowNote> notes_for(const facts::Model& model, const facts::Alternative& way,
                                const std::vector<facts::NodeId>& nodes);

// Adds "guarded by … here" for each guard with a place.
void add_guard_notes(const std::vector<facts::Guard>& guards, std::vector<FlowNote>& notes);

// Whether this way of returning is only taken where there is no CUDA device.
bool excused_by_device(const facts::Alternative& way);

// Whether any returned value is made of an authored kernel or host loop.
bool any_authored(const facts::Model& model);

// Whether something between forward and the result is not resolved, so that an authored kernel may hide there.
bool any_unknown(const facts::Model& model);

// Whether that is so, or something of the source could not be read.
bool not_all_read(const facts::Model& model);

// Whether none of the values that forward returns could be followed.
bool nothing_followed(const facts::Model& model);

// Name of the entry for messages: "ModelNew.forward".
std::string entry_name(const facts::Model& model);

// Name of an argument of the entry, for messages.
std::string argument_name(const facts::Model& model, int position);

// Framework operations that only move elements or whose compute is not classified are left out.
std::vector<facts::NodeId> real_compute(const facts::Model& model, const std::vector<facts::NodeId>& nodes);

// Framework compute as a share of all operations that take part in a returned value, 0 to 1. Operations are counted,
// not weighed: what each costs is not known from the source.
double framework_share(const facts::Model& model, const facts::Alternative& way);

// Lowers the effect to `at_most`; a policy that already gives less is left alone.
void soften(Finding& finding, Effect at_most);
// The same for what is likely and not proven: a review with a warning of medium confidence.
void soften_to_review(Finding& finding);

}  // namespace kernel_audit::analysis::rules
