#include "analysis/python/ast.h"

#include <algorithm>
#include <unordered_map>

namespace kernel_audit::analysis::python {
namespace {

constexpr std::size_t kFirstField = 5;  // of a row: after type, line, column, end line, end column

NodeType type_from_name(const std::string& name) {
  static const std::unordered_map<std::string, NodeType> names = [] {
    const char* list[] = {"Module",
                          "Expression",
                          "FunctionDef",
                          "AsyncFunctionDef",
                          "ClassDef",
                          "Return",
                          "Delete",
                          "Assign",
                          "AugAssign",
                          "AnnAssign",
                          "For",
                          "AsyncFor",
                          "While",
                          "If",
                          "With",
                          "AsyncWith",
                          "Match",
                          "Raise",
                          "Try",
                          "TryStar",
                          "Assert",
                          "Import",
                          "ImportFrom",
                          "Global",
                          "Nonlocal",
                          "Expr",
                          "Pass",
                          "Break",
                          "Continue",
                          "TypeAlias",
                          "BoolOp",
                          "NamedExpr",
                          "BinOp",
                          "UnaryOp",
                          "Lambda",
                          "IfExp",
                          "Dict",
                          "Set",
                          "ListComp",
                          "SetComp",
                          "DictComp",
                          "GeneratorExp",
                          "Await",
                          "Yield",
                          "YieldFrom",
                          "Compare",
                          "Call",
                          "FormattedValue",
                          "JoinedStr",
                          "TemplateStr",
                          "Interpolation",
                          "Constant",
                          "Attribute",
                          "Subscript",
                          "Starred",
                          "Name",
                          "List",
                          "Tuple",
                          "Slice",
                          "MatchValue",
                          "MatchSingleton",
                          "MatchSequence",
                          "MatchMapping",
                          "MatchClass",
                          "MatchStar",
                          "MatchAs",
                          "MatchOr"};
    std::unordered_map<std::string, NodeType> table;
    int value = 0;  // same order as the enum
    for (const char* each : list) table.emplace(each, static_cast<NodeType>(value++));
    return table;
  }();
  const auto found = names.find(name);
  return found == names.end() ? NodeType::kOther : found->second;
}

const Json& null_json() {
  static const Json null;
  return null;
}

Error malformed(const char* what) {
  return Error{ErrorKind::kProtocol, std::string("The syntax tree is malformed: ") + what + ".", "", "", ""};
}

}  // namespace

const Json& Node::raw(std::string_view field) const {
  const auto found = std::find(shape_->fields.begin(), shape_->fields.end(), field);
  if (found == shape_->fields.end()) return null_json();
  const std::size_t index = kFirstField + static_cast<std::size_t>(found - shape_->fields.begin());
  return index < row_->size() ? (*row_)[index] : null_json();
}

const Node* Node::at(const Json& index) const {
  if (!index.is_number_unsigned()) return nullptr;
  const auto number = index.get<std::size_t>();
  // Rows are in breadth-first order: a child comes after its parent, so a walk always ends.
  const auto own = static_cast<std::size_t>(this - nodes_->data());
  return number > own && number < nodes_->size() ? &(*nodes_)[number] : nullptr;
}

const Node* Node::child(std::string_view field) const { return at(raw(field)); }

std::vector<const Node*> Node::list(std::string_view field) const {
  std::vector<const Node*> result;
  const Json& items = raw(field);
  if (!items.is_array()) return result;
  result.reserve(items.size());
  for (const Json& item : items) result.push_back(at(item));
  return result;
}

std::string Node::text(std::string_view field) const {
  const Json& value = raw(field);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::vector<std::string> Node::texts(std::string_view field) const {
  std::vector<std::string> result;
  const Json& items = raw(field);
  if (!items.is_array()) return result;
  for (const Json& item : items) {
    if (item.is_string()) result.push_back(item.get<std::string>());
  }
  return result;
}

std::int64_t Node::number(std::string_view field) const {
  const Json& value = raw(field);
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

std::vector<const Node*> Node::children() const {
  std::vector<const Node*> result;
  if (type() == NodeType::kConstant || type() == NodeType::kMatchSingleton) return result;
  for (std::size_t i = 0; i < shape_->fields.size() && kFirstField + i < row_->size(); ++i) {
    const std::string& field = shape_->fields[i];
    if (field == "level" || field == "conversion" || field == "simple" || field == "is_async") continue;  // numbers
    const Json& value = (*row_)[kFirstField + i];
    if (value.is_array()) {
      for (const Json& item : value) {
        if (const Node* node = at(item)) result.push_back(node);
      }
    } else if (const Node* node = at(value)) {
      result.push_back(node);
    }
  }
  return result;
}

std::vector<std::int64_t> python_line_starts(std::string_view source) {
  std::vector<std::int64_t> starts{source.substr(0, 3) == "\xef\xbb\xbf" ? 3 : 0};
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\r' && i + 1 < source.size() && source[i + 1] == '\n') continue;
    if (source[i] == '\n' || source[i] == '\r') starts.push_back(static_cast<std::int64_t>(i) + 1);
  }
  return starts;
}

Result<std::unique_ptr<Ast>> Ast::from_answer(Json answer, std::string_view source) {
  std::unique_ptr<Ast> ast(new Ast);
  ast->answer_ = std::move(answer);
  const Json& types = ast->answer_.contains("types") ? ast->answer_["types"] : null_json();
  const Json& nodes = ast->answer_.contains("nodes") ? ast->answer_["nodes"] : null_json();
  if (!types.is_array() || !nodes.is_array() || nodes.empty()) return malformed("it has no nodes");
  for (const Json& type : types) {
    if (!type.is_array() || type.empty()) return malformed("a type has no name");
    NodeShape shape;
    for (const Json& word : type) {
      if (!word.is_string()) return malformed("a field name is not text");
      shape.fields.push_back(word.get<std::string>());
    }
    shape.name = shape.fields.front();
    shape.fields.erase(shape.fields.begin());
    shape.type = type_from_name(shape.name);
    ast->shapes_.push_back(std::move(shape));
  }
  const std::vector<std::int64_t> starts = python_line_starts(source);
  const auto size = static_cast<std::int64_t>(source.size());
  const auto offset = [&](const Json& line, const Json& column) -> std::int64_t {
    if (!line.is_number_integer() || !column.is_number_integer()) return 0;
    const auto number = line.get<std::int64_t>();
    if (number < 1 || number > static_cast<std::int64_t>(starts.size())) return number < 1 ? 0 : size;
    return std::clamp<std::int64_t>(starts[static_cast<std::size_t>(number - 1)] + column.get<std::int64_t>(), 0, size);
  };
  ast->nodes_.resize(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Json& row = nodes[i];
    if (!row.is_array() || row.size() < kFirstField || !row[0].is_number_unsigned())
      return malformed("a row is too short");
    const auto type = row[0].get<std::size_t>();
    if (type >= ast->shapes_.size()) return malformed("a row has an unknown type");
    Node& node = ast->nodes_[i];
    node.shape_ = &ast->shapes_[type];
    node.row_ = &row;
    node.nodes_ = &ast->nodes_;
    node.line = row[1].is_number_integer() ? row[1].get<int>() : 0;
    node.begin = offset(row[1], row[2]);
    node.end = std::max(node.begin, offset(row[3], row[4]));
  }
  return ast;
}

}  // namespace kernel_audit::analysis::python
