// Appends blocks, statements and values to Facts, with a stack of the functions being built (lambdas
// nest). Knows nothing of Clang. A statement emitted after a jump lands in a fresh unreachable block.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/facts/facts.h"

namespace kernel_audit::analysis::cuda {

using facts::EdgeKind;
using facts::Id;
using facts::kNone;
using facts::OriginKind;
using facts::Statement;
using facts::StatementKind;
using facts::StorageKind;
using facts::Type;
using facts::TypeKind;

class Builder {
 public:
  explicit Builder(facts::Facts& facts) : facts_(facts) {}

  facts::Facts& facts() { return facts_; }
  facts::Value& value(Id id) { return facts_.values[static_cast<std::size_t>(id)]; }
  facts::Function& function(Id id) { return facts_.functions[static_cast<std::size_t>(id)]; }
  facts::Storage& storage(Id id) { return facts_.storages[static_cast<std::size_t>(id)]; }

  Id add_value(OriginKind origin, Type type, const SourceSpan& span);
  Id add_constant(Json constant, Type type, const SourceSpan& span);
  Id add_unknown(std::string reason, Type type, const SourceSpan& span);
  Id add_storage(facts::Storage storage);

  void begin(Id function);  // its blocks are filled from a fresh entry block
  void end();
  Id current_function() const { return frames_.empty() ? kNone : frames_.back().function; }

  Id new_block();
  Id block() const { return frames_.back().block; }
  bool terminated() const { return frames_.back().terminated; }
  void enter(Id block);  // later statements go there
  void jump(Id to, EdgeKind kind = EdgeKind::kNormal);
  void branch(Id condition, Id on_true, Id on_false);
  void terminate() { frames_.back().terminated = true; }
  void edge(Id from, Id to, EdgeKind kind);

  Statement& emit(Statement statement);  // valid until the next call of any member
  // Call with a fresh result value.
  Id call(const std::string& callee, std::vector<Id> args, Type type, const SourceSpan& span, bool in_macro = false);
  Id load(const facts::Location& location, Type type, const SourceSpan& span, bool in_macro = false);
  void store(const facts::Location& location, Id stored, const SourceSpan& span, bool in_macro = false,
             bool augmented = false);
  Id phi(std::vector<Id> args, Type type, const SourceSpan& span);

  // Blocks made between begin_try and end_try are in the try; each gets an edge to every handler.
  Id begin_try();
  void end_try(Id id, const std::vector<Id>& handlers);
  Id begin_handler();
  void end_handler();

 private:
  struct Frame {
    Id function = kNone;
    Id block = kNone;
    bool terminated = false;
    std::vector<Id> tries;
    std::vector<Id> handlers;
    std::vector<std::pair<Id, Id>> in_tries;  // (try, block), nested tries repeat the block
    Id next_id = 0;
  };

  facts::Facts& facts_;
  std::vector<Frame> frames_;
};

}  // namespace kernel_audit::analysis::cuda
