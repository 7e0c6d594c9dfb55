// Folding of constants, strings and paths.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "analysis/python/lowerer.h"
#include "analysis/python/path_text.h"
#include "auditor/core/utf8.h"

namespace kernel_audit::analysis::python {
namespace {

using split::Text;

constexpr std::size_t kMaxTextBytes = std::size_t{8} << 20;

std::string float_repr(double value) {
  char digits[400];
  auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific);
  std::string scientific(digits, end.ptr);
  const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
  if (exponent < -4 || exponent >= 16) return scientific;
  end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed);
  std::string fixed(digits, end.ptr);
  return fixed.find('.') == std::string::npos ? fixed + ".0" : fixed;
}

std::optional<Json> fold_numbers(const std::string& op, const Json& left, const Json& right) {
  const bool integers =
      (left.is_number_integer() || left.is_boolean()) && (right.is_number_integer() || right.is_boolean());
  if (integers) {
    const auto number = [](const Json& json) {
      return json.is_boolean() ? std::int64_t{json.get<bool>()} : json.get<std::int64_t>();
    };
    const std::int64_t a = number(left), b = number(right);
    std::int64_t out = 0;
    if (op == "operator.add" && !__builtin_add_overflow(a, b, &out)) return out;
    if (op == "operator.sub" && !__builtin_sub_overflow(a, b, &out)) return out;
    if (op == "operator.mul" && !__builtin_mul_overflow(a, b, &out)) return out;
    if ((op == "operator.floordiv" || op == "operator.mod") && b != 0 && b != -1) {
      const std::int64_t quotient = a / b - ((a % b != 0 && (a % b < 0) != (b < 0)) ? 1 : 0);
      return op == "operator.mod" ? a - quotient * b : quotient;
    }
    if (op == "operator.truediv" && b != 0) return static_cast<double>(a) / static_cast<double>(b);
    if (op == "operator.pow" && b >= 0 && b < 64) {
      out = 1;
      for (std::int64_t i = 0; i < b; ++i) {
        if (__builtin_mul_overflow(out, a, &out)) return std::nullopt;
      }
      return out;
    }
    if (op == "operator.lshift" && b >= 0 && b < 62 && a >= 0 && a < (std::int64_t{1} << (62 - b))) return a << b;
    if (op == "operator.rshift" && b >= 0 && b < 63) return a >> b;
    if (op == "operator.and_") return a & b;
    if (op == "operator.or_") return a | b;
    if (op == "operator.xor") return a ^ b;
  }
  const auto numeric = [](const Json& json) { return json.is_number() || json.is_boolean(); };
  if (!numeric(left) || !numeric(right)) return std::nullopt;
  const auto real = [](const Json& json) {
    return json.is_boolean() ? (json.get<bool>() ? 1.0 : 0.0) : json.get<double>();
  };
  const double a = real(left), b = real(right);
  if (op == "operator.eq") return a == b;
  if (op == "operator.ne") return a != b;
  if (op == "operator.lt") return a < b;
  if (op == "operator.le") return a <= b;
  if (op == "operator.gt") return a > b;
  if (op == "operator.ge") return a >= b;
  if (integers) return std::nullopt;
  double out = NAN;
  if (op == "operator.add") out = a + b;
  if (op == "operator.sub") out = a - b;
  if (op == "operator.mul") out = a * b;
  if (op == "operator.truediv" && b != 0) out = a / b;
  if (op == "operator.pow") out = std::pow(a, b);
  return std::isfinite(out) ? std::optional<Json>(out) : std::nullopt;
}

Abstract text_like(const Atom& model, Text value, bool partial) {
  Atom atom;
  atom.kind = AtomKind::kText;
  atom.type = model.type;
  atom.partial = partial;
  atom.text = std::make_shared<const Text>(std::move(value));
  return make(std::move(atom));
}

std::string normal_path(std::string path) {
  while (path.rfind("./", 0) == 0) path = path.substr(2);
  for (std::size_t at; (at = path.find("/./")) != std::string::npos;) path.erase(at, 2);
  return path;
}

}  // namespace

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

Abstract Lowerer::fold_binary(const std::string& op, const Abstract& left, const Abstract& right, const Node* node) {
  const Atom* a = left.single();
  const Atom* b = right.single();
  if (a == nullptr || b == nullptr) {
    // A few strings against a few strings: every combination.
    const bool few = !left.unknown && !right.unknown && !left.atoms.empty() && !right.atoms.empty() &&
                     left.atoms.size() * right.atoms.size() <= kMaxAtoms;
    Abstract all;
    for (const AtomPtr& x : left.atoms) {
      for (const AtomPtr& y : right.atoms) {
        if (!few || (x->kind != AtomKind::kText && y->kind != AtomKind::kText)) return {};
        Abstract one, other;
        one.atoms = {x};
        other.atoms = {y};
        const Abstract folded = fold_binary(op, one, other, node);
        if (folded.bottom()) return {};
        join_into(all, folded);
      }
    }
    if (!few && op == "operator.add" && (a != nullptr || b != nullptr)) {
      // A known piece and an unknown one: the known piece is still worth reading.
      const Atom* known = a != nullptr ? a : b;
      if (known->kind != AtomKind::kText || known->type.kind != TypeKind::kString) return {};
      if (type_of(a != nullptr ? right : left).kind != TypeKind::kString && !(a != nullptr ? right : left).unknown)
        return {};
      return text(*known->text, true);
    }
    return all;
  }
  if (op == "operator.add" && a->kind == AtomKind::kText && b->kind == AtomKind::kText) {
    if (a->text->bytes.size() + b->text->bytes.size() > kMaxTextBytes) return typed(TypeKind::kString);
    return text_like(*a, split::concat(*a->text, *b->text), a->partial || b->partial);
  }
  if (op == "operator.add" && a->kind == AtomKind::kText && b->type.kind == TypeKind::kString)
    return text_like(*a, *a->text, true);
  if (op == "operator.add" && b->kind == AtomKind::kText && a->type.kind == TypeKind::kString)
    return text_like(*b, *b->text, true);
  if (op == "operator.mul" && a->kind == AtomKind::kText && b->constant.is_number_integer()) {
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(0, b->constant.get<std::int64_t>()));
    if (count < 4096 && a->text->bytes.size() * count < kMaxTextBytes)
      return text_like(*a, split::repeat(*a->text, count), a->partial);
  }
  if (op == "operator.mod" && a->kind == AtomKind::kText && a->type.kind == TypeKind::kString)
    return fold_percent(*a, right, node);
  if (op == "operator.truediv" && a->type.name == "pathlib.Path" && b->kind == AtomKind::kText) {
    // A folder that is not known stands for itself, as in os.path.join below.
    if (a->kind != AtomKind::kText) return text_like(*a, join_paths(Text::coarse("?", SourceSpan{}), *b->text), true);
    return text_like(*a, join_paths(*a->text, *b->text), a->partial || b->partial);
  }
  if (a->kind == AtomKind::kText && b->kind == AtomKind::kText && !a->partial && !b->partial) {
    const std::string &x = a->text->bytes, &y = b->text->bytes;
    if (op == "operator.eq") return constant(x == y);
    if (op == "operator.ne") return constant(x != y);
    if (op == "operator.contains") return constant(y.find(x) != std::string::npos);
    if (op == "operator.not_contains") return constant(y.find(x) == std::string::npos);
  }
  if (a->kind == AtomKind::kSymbol && a->symbol == "__name__" && b->kind == AtomKind::kText &&
      b->text->bytes == "__main__") {
    if (op == "operator.eq") return constant(false);  // a candidate is imported, never run as a script
    if (op == "operator.ne") return constant(true);
  }
  if (a->kind == AtomKind::kConstant && b->kind == AtomKind::kConstant) {
    if (const std::optional<Json> folded = fold_numbers(op, a->constant, b->constant)) return constant(*folded);
    const bool both_none = a->constant.is_null() && b->constant.is_null();
    if (op == "operator.is_" && (a->constant.is_null() || b->constant.is_null())) return constant(both_none);
    if (op == "operator.is_not" && (a->constant.is_null() || b->constant.is_null())) return constant(!both_none);
  }
  if (a->kind == AtomKind::kTuple && b->kind == AtomKind::kTuple && op == "operator.add") {
    Atom sum = *a;
    sum.items.insert(sum.items.end(), b->items.begin(), b->items.end());
    sum.item_values.assign(sum.items.size(), kNone);
    sum.self_function = kNone;
    if (sum.items.size() <= 256) return make(std::move(sum));
  }
  if (a->kind == AtomKind::kHeap && b->kind == AtomKind::kHeap && op == "operator.add" && node != nullptr) {
    const auto x = sequence_of(left), y = sequence_of(right);
    HeapObject object;
    object.exact = x && y;
    object.items = x ? *x : std::vector<Abstract>{elements_of(left)};
    const std::vector<Abstract> more = y ? *y : std::vector<Abstract>{elements_of(right)};
    object.items.insert(object.items.end(), more.begin(), more.end());
    return new_heap(TypeKind::kList, std::move(object), node, kNone).abs;
  }
  return {};
}

// str(value); nullopt when it is not known.
std::optional<Text> Lowerer::to_text(const Abstract& value, const Node* node, bool& partial) {
  const Atom* atom = value.single();
  if (atom == nullptr || atom->kind == AtomKind::kTyped) {
    // One of several numbers, or a number that is not known: it hides no code, so one of them stands for all.
    const auto number = [](const AtomPtr& each) { return type_of(*each).kind == TypeKind::kInt; };
    if (value.unknown || value.atoms.empty() || !std::all_of(value.atoms.begin(), value.atoms.end(), number))
      return std::nullopt;
    const Json& first = value.usual != nullptr ? *value.usual : value.atoms.front()->constant;
    return Text::coarse(first.is_number_integer() ? std::to_string(first.get<std::int64_t>()) : "1",
                        node == nullptr ? SourceSpan{} : frame_->unit->text.map.resolve(node->begin, node->end));
  }
  if (atom->kind == AtomKind::kText && atom->type.kind != TypeKind::kBytes) {
    partial = partial || atom->partial;
    return *atom->text;
  }
  if (atom->kind != AtomKind::kConstant) return std::nullopt;
  const SourceSpan place = node == nullptr ? SourceSpan{} : frame_->unit->text.map.resolve(node->begin, node->end);
  const Json& number = atom->constant;
  if (number.is_boolean()) return Text::coarse(number.get<bool>() ? "True" : "False", place);
  if (number.is_null()) return Text::coarse("None", place);
  if (number.is_number_integer()) return Text::coarse(std::to_string(number.get<std::int64_t>()), place);
  if (number.is_number_float()) return Text::coarse(float_repr(number.get<double>()), place);
  return std::nullopt;
}

Abstract Lowerer::fold_format(const Text& format, bool partial, const std::vector<Argument>& args, const Node* node) {
  Text result;
  std::size_t at = 0, automatic = 0;
  const std::string& bytes = format.bytes;
  while (at < bytes.size()) {
    const std::size_t brace = bytes.find_first_of("{}", at);
    if (brace == std::string::npos) {
      result.append(format.slice(at, bytes.size()));
      break;
    }
    result.append(format.slice(at, brace));
    if (brace + 1 < bytes.size() && bytes[brace + 1] == bytes[brace]) {
      result.append(format.slice(brace, brace + 1));
      at = brace + 2;
      continue;
    }
    const std::size_t close = bytes.find('}', brace);
    if (bytes[brace] == '}' || close == std::string::npos) return typed(TypeKind::kString);
    const std::string field = bytes.substr(brace + 1, close - brace - 1);
    at = close + 1;
    const bool by_name = !field.empty() && field.find_first_not_of("0123456789") != std::string::npos;
    const std::size_t position = field.empty() ? automatic++
                                 : by_name     ? 1u << 30
                                               : static_cast<std::size_t>(std::atoi(field.c_str()));
    const Argument* arg = argument(args, position, by_name ? field : std::string());
    std::optional<Text> piece;
    if (arg != nullptr) piece = to_text(arg->operand.abs, arg->node, partial);
    partial = partial || !piece;
    result.append(piece ? *piece
                        : Text::coarse("0", format.map.resolve(static_cast<std::int64_t>(brace),
                                                               static_cast<std::int64_t>(close + 1))));
  }
  (void)node;
  return text(std::move(result), partial);
}

Abstract Lowerer::fold_percent(const Atom& format, const Abstract& values, const Node* node) {
  const Atom* given = values.single();
  std::vector<Abstract> items;
  if (given != nullptr && given->kind == AtomKind::kTuple)
    items = given->items;
  else
    items = {values};
  Text result;
  bool partial = format.partial;
  std::size_t at = 0, next = 0;
  const std::string& bytes = format.text->bytes;
  while (at < bytes.size()) {
    const std::size_t percent = bytes.find('%', at);
    if (percent == std::string::npos) {
      result.append(format.text->slice(at, bytes.size()));
      break;
    }
    result.append(format.text->slice(at, percent));
    if (percent + 1 >= bytes.size()) return typed(TypeKind::kString);
    std::size_t end = percent + 1;
    std::string key;
    if (bytes[end] == '(') {
      const std::size_t close = bytes.find(')', end);
      if (close == std::string::npos) return typed(TypeKind::kString);
      key = bytes.substr(end + 1, close - end - 1);
      end = close + 1;
      if (end >= bytes.size()) return typed(TypeKind::kString);
    }
    const std::size_t conversion = bytes.find_first_not_of("0123456789.+-# ", end);
    if (conversion == std::string::npos) return typed(TypeKind::kString);
    at = conversion + 1;
    if (bytes[conversion] == '%') {
      result.append(format.text->slice(conversion, conversion + 1));
      continue;
    }
    Abstract value;
    if (!key.empty()) {
      if (given != nullptr && given->kind == AtomKind::kHeap) {
        for (const auto& [name, entry] : read_heap(given->site).entries) {
          if (folded_text(name) != nullptr && folded_text(name)->bytes == key) value = entry;
        }
      }
    } else if (next < items.size()) {
      value = items[next++];
    }
    const bool plain =
        conversion == end && (bytes[conversion] == 's' || bytes[conversion] == 'd' || bytes[conversion] == 'i');
    std::optional<Text> piece;
    if (plain) piece = to_text(value, node, partial);
    partial = partial || !piece;
    result.append(piece ? *piece
                        : Text::coarse("0", format.text->map.resolve(static_cast<std::int64_t>(percent),
                                                                     static_cast<std::int64_t>(at))));
  }
  return text(std::move(result), partial);
}

// string.Template("$a ${b} $$").substitute(a=…, b=…), or of a dict.
Abstract Lowerer::fold_template(const Atom& format, const std::vector<Argument>& args, const Node* node) {
  const auto value_of = [&](const std::string& name) -> Abstract {
    if (const Argument* arg = argument(args, 1u << 30, name)) return arg->operand.abs;
    for (const Argument& arg : args) {
      const Atom* given = arg.keyword.empty() || arg.star ? arg.operand.abs.single() : nullptr;
      if (given == nullptr || given->kind != AtomKind::kHeap) continue;
      for (const auto& [key, entry] : read_heap(given->site).entries) {
        if (folded_text(key) != nullptr && folded_text(key)->bytes == name) return entry;
      }
    }
    return {};
  };
  const std::string& bytes = format.text->bytes;
  Text result;
  bool partial = format.partial;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t dollar = std::min(bytes.find('$', at), bytes.size());
    result.append(format.text->slice(at, dollar));
    at = dollar;
    if (dollar + 1 >= bytes.size()) break;
    if (bytes[dollar + 1] == '$') {
      result.append(format.text->slice(dollar, dollar + 1));
      at = dollar + 2;
      continue;
    }
    const bool braced = bytes[dollar + 1] == '{';
    const std::size_t begin = dollar + (braced ? 2 : 1);
    std::size_t end = begin;
    while (end < bytes.size() && (std::isalnum(static_cast<unsigned char>(bytes[end])) != 0 || bytes[end] == '_'))
      ++end;
    at = braced && end < bytes.size() && bytes[end] == '}' ? end + 1 : end;
    std::optional<Text> piece = to_text(value_of(bytes.substr(begin, end - begin)), node, partial);
    partial = partial || !piece;
    result.append(piece ? *piece
                        : Text::coarse("0", format.text->map.resolve(static_cast<std::int64_t>(dollar),
                                                                     static_cast<std::int64_t>(at))));
  }
  return text(std::move(result), partial);
}

void Lowerer::write_file(const std::string& path, const Abstract& contents) {
  const auto [slot, fresh] = written_files_.try_emplace(normal_path(path));
  if (fresh) grew_ = true;
  write_cell(slot->second, nullptr, contents);
}

// The text of a file that the candidate brings or writes.
Abstract Lowerer::file_text(const std::string& path, bool& found) {
  const std::string wanted = normal_path(path);
  found = true;
  const auto written = written_files_.find(wanted);
  if (written != written_files_.end()) return read_cell(written->second);
  for (const split::VirtualFile& file : others_) {
    if (normal_path(file.path) == wanted) {
      return text(Text{file.text, split::OffsetMap::identity(file.file, static_cast<std::int64_t>(file.text.size()))});
    }
  }
  for (const PythonFile& file : files_) {
    if (normal_path(file.path) == wanted) {
      return text(Text{file.text, split::OffsetMap::identity(file.file, static_cast<std::int64_t>(file.text.size()))});
    }
  }
  found = false;
  return unknown("file '" + path + "' is not among the candidate's files");
}

Abstract Lowerer::fold_method(const Atom& self, const std::string& method, const std::vector<Argument>& args,
                              const Node* node) {
  const auto arg_text = [&](std::size_t index) -> const Text* {
    return index < args.size() && args[index].keyword.empty() && !args[index].star
               ? folded_text(args[index].operand.abs)
               : nullptr;
  };
  if (self.type.name == "io.file") {  // symbol is the path
    if (method == "read") {
      bool found = false;
      return file_text(self.symbol, found);
    }
    if (method == "write" && !args.empty()) {
      write_file(self.symbol, args[0].operand.abs);
      return typed(TypeKind::kInt);
    }
    return {};
  }
  if (self.kind != AtomKind::kText) return {};
  const Text& value = *self.text;
  if (self.type.name == "pathlib.Path") {
    if (method == "parent") return text_like(self, value.slice(0, parent_of(value.bytes).size()), self.partial);
    if (method == "resolve" || method == "absolute" || method == "expanduser")
      return text_like(self, value, self.partial);
    if (method == "__str__" || method == "as_posix") return text(value, self.partial);
    if (method == "joinpath" && arg_text(0) != nullptr)
      return text_like(self, join_paths(value, *arg_text(0)), self.partial);
    const auto named = node == nullptr ? std::nullopt : other_name(value.bytes, method, arg_text(0));
    if (named) return text_like(self, Text::coarse(*named, span(node)), self.partial);
    if ((method == "glob" || method == "rglob") && arg_text(0) != nullptr && node != nullptr)
      return written_in(value.bytes, arg_text(0)->bytes, self, node);
    bool found = false;
    if (method == "read_text" || method == "read_bytes") return file_text(value.bytes, found);
    if ((method == "rename" || method == "replace") && args.size() == 1) {
      bool partial = false;
      if (const std::optional<Text> to = to_text(args[0].operand.abs, node, partial)) {
        move_file(value.bytes, to->bytes);
        return args[0].operand.abs;
      }
      return {};
    }
    if ((method == "write_text" || method == "write_bytes") && !args.empty()) {
      write_file(value.bytes, args[0].operand.abs);
      return typed(TypeKind::kInt);
    }
    return {};
  }
  if (self.type.name == "string.Template")
    return method == "substitute" || method == "safe_substitute" ? fold_template(self, args, node) : Abstract{};
  if (method == "join" && args.size() == 1 && !args[0].star) {
    const auto items = sequence_of(args[0].operand.abs);
    if (!items) {
      // The pieces are known, their order or number is not: each is still worth reading.
      Text all;
      for (const AtomPtr& atom : elements_of(args[0].operand.abs).atoms) {
        if (atom->kind == AtomKind::kText) all.append(*atom->text);
      }
      return all.bytes.empty() ? typed(TypeKind::kString) : text(std::move(all), true);
    }
    bool partial = self.partial;
    std::vector<Text> parts;
    for (const Abstract& item : *items) {
      std::optional<Text> piece = to_text(item, node, partial);
      if (piece)
        parts.push_back(std::move(*piece));
      else
        partial = true;
    }
    return text_like(self, split::join(value, parts), partial);
  }
  if (method == "format" && self.type.kind == TypeKind::kString) return fold_format(value, self.partial, args, node);
  if (method == "replace" && args.size() >= 2 && arg_text(0) != nullptr && !arg_text(0)->bytes.empty()) {
    bool partial = self.partial;
    const std::optional<Text> to = to_text(args[1].operand.abs, node, partial);
    if (to) return text_like(self, split::replace_all(value, arg_text(0)->bytes, *to), partial || args.size() > 2);
    return text_like(self, split::replace_all(value, arg_text(0)->bytes, Text::coarse("0", value.map.resolve(0, 0))),
                     true);
  }
  if ((method == "endswith" || method == "startswith") && args.size() == 1 && !self.partial) {
    const auto choices = sequence_of(args[0].operand.abs);
    bool any = false;
    for (const Abstract& each : choices ? *choices : std::vector<Abstract>{args[0].operand.abs}) {
      const Text* part = folded_text(each);
      if (part == nullptr) return {};
      any = any || (method == "endswith" ? value.bytes.ends_with(part->bytes) : value.bytes.starts_with(part->bytes));
    }
    return constant(any);
  }
  if (method == "strip" || method == "lstrip" || method == "rstrip") {
    const split::Side side = method == "strip"    ? split::Side::kBoth
                             : method == "lstrip" ? split::Side::kLeft
                                                  : split::Side::kRight;
    if (args.empty()) return text_like(self, split::strip(value, side), self.partial);
    if (arg_text(0) != nullptr && split::is_ascii(arg_text(0)->bytes))
      return text_like(self, split::strip(value, side, arg_text(0)->bytes), self.partial);
  }
  if ((method == "upper" || method == "lower") && split::is_ascii(value.bytes))
    return text_like(self, split::map_case(value, method == "upper"), self.partial);
  if (method == "swapcase" && !self.partial && split::is_ascii(value.bytes))
    return text_like(self, split::swap_case(value), false);
  if (method == "removeprefix" && arg_text(0) != nullptr) {
    const bool has = value.bytes.rfind(arg_text(0)->bytes, 0) == 0;
    return text_like(self, has ? value.slice(arg_text(0)->bytes.size(), value.bytes.size()) : value, self.partial);
  }
  if ((method == "partition" || method == "rpartition") && arg_text(0) != nullptr && !self.partial) {
    const std::string& mark = arg_text(0)->bytes;
    const std::size_t at = method == "partition" ? value.bytes.find(mark) : value.bytes.rfind(mark);
    const bool found = at != std::string::npos && !mark.empty();
    const std::size_t size = value.bytes.size(), end = found ? at + mark.size() : size;
    const std::size_t begin = found ? at : method == "partition" ? size : 0;  // where nothing is found, all is one part
    Atom parts;
    parts.kind = AtomKind::kTuple;
    parts.type.kind = TypeKind::kTuple;
    parts.items = {text(value.slice(0, begin)), text(value.slice(begin, found ? end : begin)),
                   text(value.slice(found ? end : begin, size))};
    parts.item_values.assign(3, kNone);
    return make(std::move(parts));
  }
  if (method == "encode" || method == "decode") {
    if (method == "decode" && !is_utf8(value.bytes)) return {};
    Atom other = self;
    other.type.kind = method == "encode" ? TypeKind::kBytes : TypeKind::kString;
    return make(std::move(other));
  }
  if (method == "split" || method == "splitlines") {
    if (self.partial || (method == "split" && (arg_text(0) == nullptr || args.size() > 1))) return {};
    HeapObject object;
    const std::vector<Text> parts =
        method == "split" ? split::split_on(value, arg_text(0)->bytes) : split::split_lines(value, false);
    for (const Text& part : parts) object.items.push_back(text(part));
    return new_heap(TypeKind::kList, std::move(object), node, kNone).abs;
  }
  return {};
}

// Functions of packages that fold.
Abstract Lowerer::fold_call(const std::string& name, const std::vector<Argument>& args, const Node* node) {
  if (args.empty() || args[0].star) return name == "builtins.str" ? text(Text{}) : Abstract{};
  const Abstract& first = args[0].operand.abs;
  const Atom* atom = first.single();
  const bool is_text = atom != nullptr && atom->kind == AtomKind::kText;
  if (name == "builtins.str" || name == "os.fspath") {
    bool partial = false;
    const std::optional<Text> folded = to_text(first, node, partial);
    return folded ? text(*folded, partial) : Abstract{};
  }
  if (name == "textwrap.dedent" && is_text) return text_like(*atom, split::dedent(*atom->text), atom->partial);
  if (name == "inspect.cleandoc" && is_text)
    return text_like(*atom, split::strip(split::dedent(*atom->text), split::Side::kBoth, "\n"), atom->partial);
  if (const std::size_t slash = is_text ? atom->text->bytes.rfind('/') : std::string::npos;
      name == "glob.glob" && slash != std::string::npos && node != nullptr)
    return written_in(atom->text->bytes.substr(0, slash), atom->text->bytes.substr(slash + 1), *atom, node);
  if (name == "pathlib.Path") {  // an unknown folder stands for itself, as in os.path.join
    const Abstract folder = is_text ? Abstract{} : text(Text::coarse("?", SourceSpan{}), true);
    Atom path = is_text ? *atom : *folder.single();
    path.type = {TypeKind::kOther, "pathlib.Path"};
    return make(std::move(path));
  }
  if (name == "string.Template" && is_text) {
    Atom format = *atom;
    format.type = {TypeKind::kOther, name};
    return make(std::move(format));
  }
  if (is_text && (name == "os.path.abspath" || name == "os.path.realpath" || name == "os.path.normpath" ||
                  name == "os.path.expanduser"))
    return text_like(*atom, *atom->text, atom->partial);
  if (is_text && name == "os.path.dirname")
    return text_like(*atom, atom->text->slice(0, parent_of(atom->text->bytes).size()), atom->partial);
  if (name == "os.path.join") {
    Text path;
    bool partial = false;
    for (const Argument& arg : args) {
      bool piece_partial = false;
      const std::optional<Text> piece = arg.star ? std::nullopt : to_text(arg.operand.abs, arg.node, piece_partial);
      partial = partial || piece_partial || !piece;
      // An unknown folder stands for itself: a file written there and built from there is the same file.
      path = join_paths(path, piece ? *piece : Text::coarse("?", SourceSpan{}));
    }
    return text(std::move(path), partial);
  }
  if (name == "builtins.open" || name == "io.open" || name == "codecs.open") {
    bool partial = false;
    const std::optional<Text> path = is_text ? std::optional<Text>(*atom->text) : to_text(first, node, partial);
    Atom file;
    file.type = {TypeKind::kOther, "io.file"};
    file.symbol = path ? path->bytes : "?";
    return make(std::move(file));
  }
  if (const Abstract folded = fold_unpacked(name, args); !folded.bottom()) return folded;
  if (name == "builtins.chr" && atom != nullptr && atom->constant.is_number_integer()) {
    const std::int64_t code = atom->constant.get<std::int64_t>();
    if (code >= 0 && code < 128 && node != nullptr)
      return text(Text::coarse(std::string(1, static_cast<char>(code)),
                               frame_->unit->text.map.resolve(node->begin, node->end)));
  }
  if ((name == "builtins.bytes" || name == "builtins.bytearray") && args.size() == 1 && node != nullptr) {
    if (const std::optional<std::string> bytes = bytes_of(first)) {
      Atom made;
      made.kind = AtomKind::kText;
      made.type.kind = TypeKind::kBytes;
      made.text =
          std::make_shared<const Text>(Text::coarse(*bytes, frame_->unit->text.map.resolve(node->begin, node->end)));
      return make(std::move(made));
    }
  }
  if (name == "builtins.len" && is_text && !atom->partial && split::is_ascii(atom->text->bytes))
    return constant(static_cast<std::int64_t>(atom->text->bytes.size()));
  if (name == "builtins.len") {
    if (const auto items = sequence_of(first)) return constant(static_cast<std::int64_t>(items->size()));
  }
  if (name == "builtins.int" && args.size() == 1 && atom != nullptr && atom->constant.is_number_integer()) return first;
  if ((name == "builtins.min" || name == "builtins.max" || name == "builtins.sum" || name == "builtins.abs" ||
       name == "builtins.pow" || name == "builtins.round" || name == "builtins.divmod")) {
    const facts::Type type = type_of(first);
    if (type.kind == TypeKind::kTensor || type.kind == TypeKind::kParameter)
      return typed(TypeKind::kTensor, "torch.Tensor");
    if (type.kind == TypeKind::kInt || type.kind == TypeKind::kFloat) return typed(type.kind);
  }
  return {};
}

}  // namespace kernel_audit::analysis::python
