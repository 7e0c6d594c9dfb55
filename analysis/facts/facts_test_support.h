// Facts for tests of their written forms: a little of everything.
#pragma once

#include "analysis/facts/facts_builder.h"

namespace kernel_audit::analysis::facts {

inline Facts sample_facts() {
  FactsBuilder b;
  const Id model = b.klass("ModelNew");
  const Id kernel = b.function("scale", kNone, true);
  b.current().is_kernel = true;
  b.parameter("out", {TypeKind::kPointer, "float*"});
  const Id forward = b.function("forward", model);
  b.parameter("self");
  const Id x = b.parameter("x");
  const Id cache = b.storage(StorageKind::kInstanceAttribute, "cache", Lifetime::kObject, model);
  const Id out = b.call("torch.empty_like", {x});
  b.launch("scale", {out}, kNone, "current", kernel);
  b.store(cache, out, 0);
  const auto [yes, no] = b.branch(b.constant(Json(true)));
  b.in_block(yes);
  b.ret(out);
  b.in_block(no);
  b.ret(b.load(cache, 0));
  b.facts().bindings.push_back({"ext:m", "scale", kernel, "scale", {}});
  b.facts().problems.push_back({"limit", "The unit is too large.", 1, {}, true});
  b.entry(model, forward);
  return b.facts();
}

inline Json json_of(const Facts& facts) {
  Json json;
  to_json(json, facts);
  return json;
}

}  // namespace kernel_audit::analysis::facts
