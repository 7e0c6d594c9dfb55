#include "analysis/rules/containers.h"

#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Statement;
using facts::StatementKind;

Id container_of(const facts::Model& model, const facts::StateStore& store) {
  const Statement* statement = model.statement(store.where);
  if (statement == nullptr) return kNone;
  if (statement->kind == StatementKind::kStore) {
    return statement->location.element ? statement->location.storage : kNone;
  }
  const Statement* loaded = maker(model, store.where.function, statement->receiver);
  return loaded == nullptr || loaded->kind != StatementKind::kLoad ? kNone : loaded->location.storage;
}

}  // namespace kernel_audit::analysis::rules
