// The syntax tree of one Python source as answered by Interpreter: nodes with their byte range in the
// source and typed access to their fields. Owns the answer; nodes live as long as the tree.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "auditor/core/json.h"
#include "auditor/core/result.h"

namespace kernel_audit::analysis::python {

// Node types by CPython's names; kOther is anything newer than what is listed here.
enum class NodeType {
  kModule,
  kExpression,
  kFunctionDef,
  kAsyncFunctionDef,
  kClassDef,
  kReturn,
  kDelete,
  kAssign,
  kAugAssign,
  kAnnAssign,
  kFor,
  kAsyncFor,
  kWhile,
  kIf,
  kWith,
  kAsyncWith,
  kMatch,
  kRaise,
  kTry,
  kTryStar,
  kAssert,
  kImport,
  kImportFrom,
  kGlobal,
  kNonlocal,
  kExpr,
  kPass,
  kBreak,
  kContinue,
  kTypeAlias,
  kBoolOp,
  kNamedExpr,
  kBinOp,
  kUnaryOp,
  kLambda,
  kIfExp,
  kDict,
  kSet,
  kListComp,
  kSetComp,
  kDictComp,
  kGeneratorExp,
  kAwait,
  kYield,
  kYieldFrom,
  kCompare,
  kCall,
  kFormattedValue,
  kJoinedStr,
  kTemplateStr,
  kInterpolation,
  kConstant,
  kAttribute,
  kSubscript,
  kStarred,
  kName,
  kList,
  kTuple,
  kSlice,
  kMatchValue,
  kMatchSingleton,
  kMatchSequence,
  kMatchMapping,
  kMatchClass,
  kMatchStar,
  kMatchAs,
  kMatchOr,
  kOther
};

struct NodeShape {
  std::string name;
  NodeType type = NodeType::kOther;
  std::vector<std::string> fields;
};

class Node {
 public:
  NodeType type() const { return shape_->type; }
  const std::string& type_name() const { return shape_->name; }
  const Node* child(std::string_view field) const;              // nullptr when absent
  std::vector<const Node*> list(std::string_view field) const;  // absent items (a `None`) are nullptr
  std::string text(std::string_view field) const;               // "" when absent
  std::vector<std::string> texts(std::string_view field) const;
  std::int64_t number(std::string_view field) const;  // 0 when absent
  const Json& raw(std::string_view field) const;
  // Every child node, in field order.
  std::vector<const Node*> children() const;

  std::int64_t begin = 0;  // byte range in the source
  std::int64_t end = 0;
  int line = 0;

 private:
  friend class Ast;
  const Node* at(const Json& index) const;
  const NodeShape* shape_ = nullptr;
  const Json* row_ = nullptr;
  const std::vector<Node>* nodes_ = nullptr;
};

class Ast {
 public:
  // `answer` as Interpreter::parse gives it; `source` is what was parsed (its line starts give offsets).
  static Result<std::unique_ptr<Ast>> from_answer(Json answer, std::string_view source);
  const Node* root() const { return &nodes_.front(); }
  std::size_t size() const { return nodes_.size(); }

 private:
  Ast() = default;
  Json answer_;
  std::vector<NodeShape> shapes_;
  std::vector<Node> nodes_;
};

// Offsets of line starts as CPython's tokeniser counts lines ("\n", "\r\n" and "\r"), after a byte order mark.
std::vector<std::int64_t> python_line_starts(std::string_view source);

}  // namespace kernel_audit::analysis::python
