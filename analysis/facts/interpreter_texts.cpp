// Texts that Python code puts together of pieces: each that a value may be is followed, up to a few.
#include <algorithm>

#include "analysis/facts/interpreter.h"
#include "analysis/facts/interpreter_frame.h"
#include "analysis/facts/text_machine.h"

namespace kernel_audit::analysis::facts {
namespace {

constexpr std::size_t kManyTexts = 16;         // that one value may be
constexpr std::size_t kManyCombinations = 64;  // of the texts that a call is given

using Texts = std::vector<std::string>;

char upper_or_lower(char c, bool upper) {
  if (upper && c >= 'a' && c <= 'z') return static_cast<char>(c - 'a' + 'A');
  return !upper && c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string stripped(const std::string& text, const std::string& characters, bool left, bool right) {
  const std::size_t begin = left ? std::min(text.find_first_not_of(characters), text.size()) : 0;
  const std::size_t last = right ? text.find_last_not_of(characters) : text.size() - 1;
  return last == std::string::npos || last < begin ? std::string() : text.substr(begin, last + 1 - begin);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; !from.empty() && (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

constexpr const char* kSpace = " \t\n\r\v\f";

// What a method makes of a text, the first of `given`.
std::optional<std::string> changed(const std::string& name, const Texts& given) {
  std::string text = given[0];
  if (name == "add" || name == "iadd") return given.size() == 2 ? std::optional(text + given[1]) : std::nullopt;
  if (name == "replace") return given.size() == 3 ? std::optional(replaced(text, given[1], given[2])) : std::nullopt;
  if (name == "strip" || name == "lstrip" || name == "rstrip")
    return stripped(text, given.size() > 1 ? given[1] : kSpace, name != "rstrip", name != "lstrip");
  if (name == "removeprefix" && given.size() == 2)
    return text.starts_with(given[1]) ? text.substr(given[1].size()) : text;
  if (name == "removesuffix" && given.size() == 2)
    return text.ends_with(given[1]) ? text.substr(0, text.size() - given[1].size()) : text;
  if (name == "decode" || name == "encode") return text;
  if (given.size() != 1) return std::nullopt;
  if (name == "str" || name == "bytes" || name == "bytearray") return text;
  if (name == "reversed") return std::string(text.rbegin(), text.rend());
  const bool other = name == "swapcase", first = name == "capitalize" || name == "title";
  if (name != "upper" && name != "lower" && !other && !first) return std::nullopt;
  bool begins = true;
  for (char& c : text) {
    const bool up = name == "upper" || (first && begins) || (other && c >= 'a' && c <= 'z');
    begins = name == "title" && std::string_view(kSpace).find(c) != std::string_view::npos;
    c = upper_or_lower(c, up);
  }
  return text;
}

// The parts that a text is cut into.
std::optional<Texts> cut(const std::string& name, const Texts& given) {
  const std::string& text = given[0];
  Texts parts;
  if (name == "partition" || name == "rpartition") {
    if (given.size() != 2) return std::nullopt;
    const std::size_t at = name == "partition" ? text.find(given[1]) : text.rfind(given[1]);
    if (at == std::string::npos) return name == "partition" ? Texts{text, "", ""} : Texts{"", "", text};
    return Texts{text.substr(0, at), given[1], text.substr(at + given[1].size())};
  }
  const bool lines = name == "splitlines";
  if (name != "split" && name != "rsplit" && !lines) return std::nullopt;
  if (given.size() == 1) {
    const char* separators = lines ? "\n" : kSpace;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
      if (end > begin || lines) parts.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return parts;
  }
  if (given.size() != 2 || given[1].empty()) return std::nullopt;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(given[1], begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + given[1].size();
  }
  return parts;
}

// "nvml%s" % name, "{}.{}".format(a, b); `mark` stands for one of the values that follow the text.
std::optional<std::string> filled(const Texts& given, const std::string& mark) {
  std::string text;
  std::size_t begin = 0, taken = 1;
  for (std::size_t at; (at = given[0].find(mark, begin)) != std::string::npos; begin = at + mark.size()) {
    if (taken >= given.size()) return std::nullopt;
    text += given[0].substr(begin, at - begin) + given[taken++];
  }
  text += given[0].substr(begin);
  return taken == given.size() && text.find_first_of("%{}") == std::string::npos ? std::optional(text) : std::nullopt;
}

}  // namespace

// The texts that a value may be; none when it may be something else.
std::vector<std::string> Interpreter::texts_of(const Abstract& value) const {
  Texts texts;
  if (value.open || !value.objects.empty() || value.constants.size() > kManyTexts) return texts;
  for (const int id : value.constants) {
    if (!constant_at(id).is_string()) return {};
    texts.push_back(constant_at(id).get<std::string>());
  }
  return texts;
}

// Calls `visit` with each combination of the texts that the values may be, until it says no; false when that cannot be
// told or it did.
bool Interpreter::for_each_texts(const std::vector<Abstract>& values,
                                 const std::function<bool(const Texts&)>& visit) const {
  std::vector<Texts> choices;
  std::size_t combinations = 1;
  for (const Abstract& value : values) {
    choices.push_back(texts_of(value));
    combinations *= choices.back().size();
    if (combinations == 0 || combinations > kManyCombinations) return false;
  }
  for (std::size_t number = 0; number < combinations; ++number) {
    Texts given;
    std::size_t rest = number;
    for (const Texts& each : choices) {
      given.push_back(each[rest % each.size()]);
      rest /= each.size();
    }
    if (!visit(given)) return false;
  }
  return !values.empty();
}

// What `of` makes of each combination of texts; nothing where it makes nothing of one.
std::optional<Abstract> Interpreter::each_text(const std::vector<Abstract>& values, const TextOfTexts& of) {
  Abstract result;
  const bool all = for_each_texts(values, [&](const Texts& given) {
    const std::optional<Json> made = of(given);
    if (made) join(result, constant(*made));
    return made.has_value();
  });
  if (!all || result.constants.size() > kManyTexts) return std::nullopt;
  for (const Abstract& value : values) merge_into(result.nodes, chosen_by_surroundings(value.nodes));
  return result;
}

// An element of a tuple of constants, a text backwards.
std::optional<Abstract> Interpreter::part_of_constant(const Abstract& base, const Abstract& key) {
  if (base.open || base.constants.empty() || !base.objects.empty()) return std::nullopt;
  const auto number = [&](const Abstract& value) -> std::optional<std::int64_t> {
    if (value.open || value.constants.size() != 1 || !value.objects.empty()) return std::nullopt;
    const Json& json = constant_at(value.constants[0]);
    return json.is_number_integer() ? std::optional(json.get<std::int64_t>()) : std::nullopt;
  };
  const std::vector<Abstract> bounds = items_in_order(key);  // of a slice
  const bool backwards = bounds.size() == 3 && only_null(bounds[0]) && only_null(bounds[1]) && number(bounds[2]) == -1;
  const auto place = number(key);
  Abstract part;
  for (const int id : base.constants) {
    const Json whole = constant_at(id);
    if (whole.is_string() && backwards) {
      const auto& text = whole.get_ref<const std::string&>();
      join(part, constant(Json(std::string(text.rbegin(), text.rend()))));
    } else if (whole.is_array() && place) {
      const std::int64_t at = *place < 0 ? *place + std::ssize(whole) : *place;
      if (at < 0 || at >= std::ssize(whole)) return std::nullopt;
      join(part, constant(whole[static_cast<std::size_t>(at)]));
    } else {
      return std::nullopt;
    }
  }
  merge_into(part.nodes, base.nodes);
  merge_into(part.nodes, chosen_by_surroundings(key.nodes));
  return part;
}

// The parts of a text, in a list: of several texts, what stands in each place.
std::optional<Abstract> Interpreter::cut_text(const std::string& name, const std::vector<Abstract>& operands,
                                              const CallSite& site) {
  std::vector<Texts> rows;
  const bool all = for_each_texts(operands, [&](const Texts& given) {
    if (auto parts = cut(name, given)) rows.push_back(std::move(*parts));
    return !rows.empty() && rows.back().size() <= kManyCombinations;
  });
  if (!all) return std::nullopt;
  const ObjectId list = make_object(ObjectKind::kContainer, site.where, site.context, 740);
  std::vector<Abstract> places;
  for (const Texts& row : rows) {
    places.resize(std::max(places.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) join(places[i], constant(Json(row[i])));
  }
  for (std::size_t i = 0; i < places.size(); ++i) write_field(list, key_of("#" + std::to_string(i)), places[i], true);
  return of_object(list);
}

// [a] + rest, where the elements of both are known one by one; each of several lists with each of the others.
std::optional<Abstract> Interpreter::concatenated(const std::vector<Abstract>& operands, const CallSite& site) {
  const auto in_order = [&](const Abstract& value) {
    return !value.open && !value.objects.empty() && value.objects.size() <= 4 &&
           std::all_of(value.objects.begin(), value.objects.end(), [&](ObjectId id) {
             return object(id).kind == ObjectKind::kContainer && object(id).phase == phase_ && !grown_.contains(id) &&
                    !state_.fields.contains(field_key(id, kAnyKey));
           });
  };
  if (operands.size() != 2 || !in_order(operands[0]) || !in_order(operands[1])) return std::nullopt;
  // Tuples that stand there, or were put together elsewhere: what a loop adds to grows with each turn.
  const auto tuples = [&](const Abstract& value) {
    return std::all_of(value.objects.begin(), value.objects.end(), [&](ObjectId id) {
      const Statement* maker = made_by(id);
      return maker != nullptr && object(id).made != site.where &&
             (maker->callee == "builtins.tuple" || maker->callee == "operator.add");
    });
  };
  const bool display = tuples(operands[0]) && tuples(operands[1]);
  Abstract result;
  for (const ObjectId left : operands[0].objects) {
    for (const ObjectId right : operands[1].objects) {
      std::vector<Abstract> items = items_in_order(of_object(left));
      const std::vector<Abstract> more = items_in_order(of_object(right));
      items.insert(items.end(), more.begin(), more.end());
      const bool texts = !items.empty() && std::all_of(items.begin(), items.end(),
                                                       [&](const Abstract& item) { return !texts_of(item).empty(); });
      if (!texts && !display) return std::nullopt;
      merge_into(result.objects, packed(items, site, 760 + std::ssize(result.objects)).objects);
    }
  }
  return result;
}

// f"{name}_{x.dtype}": a text of which parts are known; what stands between them is the same for the same place.
Abstract Interpreter::text_in_part(const std::vector<Abstract>& operands, const CallSite& site) {
  Json parts = Json::array();
  bool any = false;
  for (const Abstract& operand : operands) {
    const auto text = text_of(operand);
    any = any || (text && !text->empty());
    parts.push_back(text ? Json(*text) : Json());
  }
  Abstract value = open_value({});
  if (any)
    value.constants = {
        constant_id(Json{{"text", parts}, {"at", {site.where.function, site.where.block, site.where.index}}})};
  return value;
}

// separator.join(parts)
std::optional<Abstract> Interpreter::joined_texts(const std::vector<Abstract>& operands) {
  if (operands.size() != 2) return std::nullopt;
  if (!texts_of(operands[1]).empty() && texts_of(operands[0]) == Texts{""}) return operands[1];
  Abstract result;
  for (const ObjectId list : operands[1].objects) {
    // Elements of which only some are known one by one have no order.
    if (state_.fields.contains(field_key(list, kAnyKey))) return std::nullopt;
    std::vector<Abstract> parts = items_in_order(of_object(list));
    if (parts.empty()) return std::nullopt;
    parts.insert(parts.begin(), operands[0]);
    const auto made = each_text(parts, [](const Texts& given) {
      std::string text = given[1];
      for (std::size_t i = 2; i < given.size(); ++i) text += given[0] + given[i];
      return std::optional(Json(text));
    });
    if (!made) return std::nullopt;
    join(result, *made);
  }
  return result.nothing() ? std::nullopt : std::optional(result);
}

// Texts of characters by their numbers: chr(99), bytes((109, 109)).
std::optional<Abstract> Interpreter::text_of_codes(const std::string& callee, const Abstract& codes) {
  std::vector<Json> numbers;
  const auto take = [&](const Abstract& value) {
    const bool known = !value.open && value.objects.empty() && value.constants.size() == 1;
    numbers.push_back(known ? constant_at(value.constants[0]) : Json());
  };
  if (callee == "builtins.chr") {
    take(codes);
  } else {
    for (const Abstract& each : items_in_order(codes)) take(each);
    if (numbers.empty() && codes.constants.size() == 1 && constant_at(codes.constants[0]).is_array())
      numbers.assign(constant_at(codes.constants[0]).begin(), constant_at(codes.constants[0]).end());
  }
  std::string text;
  for (const Json& number : numbers) {
    if (!number.is_number_integer() || number.get<std::int64_t>() < 1 || number.get<std::int64_t>() > 126)
      return std::nullopt;
    text += static_cast<char>(number.get<std::int64_t>());
  }
  return text.empty() ? std::nullopt : std::optional(constant(Json(text)));
}

// A function of C++ that puts a text together of what it is given, and of tables: a name that is kept encoded.
std::optional<Abstract> Interpreter::decoded_text(const Statement& call, const std::vector<Abstract>& args) {
  if (call.result == kNone || call.receiver != kNone || call.target == kNone || !in_native(call.target) ||
      facts_.values[static_cast<std::size_t>(call.result)].type.kind != TypeKind::kString)
    return std::nullopt;
  std::vector<Json> given;
  for (const Abstract& arg : args) {
    Json known;
    if (!arg.open && arg.objects.empty() && arg.constants.size() == 1) {
      known = constant_at(arg.constants[0]);
    } else if (!arg.open && arg.objects.size() == 1) {
      known = Json::array();
      for (const Abstract& item : items_in_order(arg)) {
        if (item.open || item.constants.size() != 1 || !item.objects.empty()) return std::nullopt;
        known.push_back(constant_at(item.constants[0]));
      }
    }
    if (known.is_null() || (known.is_array() && known.empty())) return std::nullopt;
    given.push_back(std::move(known));
  }
  const std::optional<Json> text = TextMachine(facts_).run(call.target, given);
  const bool plain = text && text->is_string() &&
                     std::all_of(text->get_ref<const std::string&>().begin(), text->get_ref<const std::string&>().end(),
                                 [](char c) { return c > 0; });
  return plain ? std::optional(constant(*text)) : std::nullopt;
}

// Texts from numbers and other texts: bytes((109, 109)).decode(), "".join(parts), name.upper().
std::optional<Abstract> Interpreter::apply_text(const std::string& callee, const std::vector<Abstract>& operands,
                                                const CallSite& site) {
  if (operands.empty()) return std::nullopt;
  const std::size_t dot = callee.rfind('.');
  const std::string owner = callee.substr(0, dot == std::string::npos ? 0 : dot);
  const std::string name = callee.substr(dot == std::string::npos ? 0 : dot + 1);
  if (callee == "builtins.chr" ||
      ((callee == "builtins.bytes" || callee == "builtins.bytearray") && texts_of(operands[0]).empty()))
    return text_of_codes(callee, operands[0]);
  const bool sum = callee == "operator.add" || callee == "operator.iadd";
  if (sum && operands[0].constants.empty()) return concatenated(operands, site);
  if ((callee == "operator.eq" || callee == "operator.ne") && operands.size() == 2) {
    const auto one = text_of(operands[0]), other = text_of(operands[1]);
    return one && other ? std::optional(constant(Json((*one == *other) == (name == "eq")))) : std::nullopt;
  }
  if (callee == "operator.mod" || callee == "builtins.str.format" || callee == "?.format") {
    std::vector<Abstract> given = operands;
    if (name == "mod" && given.size() == 2 && has_kind(given[1], ObjectKind::kContainer)) {
      const std::vector<Abstract> items = items_in_order(given[1]);
      given.pop_back();
      given.insert(given.end(), items.begin(), items.end());
    }
    const std::string mark = name == "mod" ? "%s" : "{}";
    return each_text(given, [&](const Texts& texts) -> std::optional<Json> {
      const auto made = filled(texts, mark);
      return made ? std::optional(Json(*made)) : std::nullopt;
    });
  }
  if (callee == "builtins.format")  // f"{a}{b}"
    return each_text(operands, [](const Texts& given) {
      std::string text;
      for (const std::string& each : given) text += each;
      return std::optional(Json(text));
    });
  const bool function = callee == "builtins.str" || callee == "builtins.bytes" || callee == "builtins.reversed" ||
                        callee == "builtins.bytearray";
  if (!sum && !function && owner != "?" && owner != "builtins.str" && owner != "builtins.bytes") return std::nullopt;
  if (name == "join") return joined_texts(operands);
  if (texts_of(operands[0]).empty()) {  // of what is around the candidate: still the same
    const NodeSet around = settings_in(operands[0].nodes);
    return around.empty() || !operands[0].objects.empty() ? std::nullopt : std::optional(open_value(around));
  }
  if (name == "decode" || name == "encode") return operands[0];  // whatever the encoding
  if (name == "startswith" || name == "endswith") {
    const auto text = text_of(operands[0]), part = operands.size() > 1 ? text_of(operands[1]) : std::nullopt;
    if (!text || !part) return std::nullopt;
    return constant(Json(name == "startswith" ? text->starts_with(*part) : text->ends_with(*part)));
  }
  if (auto parts = cut_text(name, operands, site)) return parts;
  return each_text(operands, [&](const Texts& given) -> std::optional<Json> {
    const auto made = changed(name, given);
    return made ? std::optional(Json(*made)) : std::nullopt;
  });
}

}  // namespace kernel_audit::analysis::facts
