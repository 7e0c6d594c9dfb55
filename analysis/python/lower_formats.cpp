// Texts that are put together of parts: f-strings, what own objects are within them, and the methods of a text that
// take others, where a part may be one of a few.
#include <algorithm>

#include "analysis/python/lowerer.h"
#include "analysis/python/string_literal.h"

namespace kernel_audit::analysis::python {
namespace {

// The texts that a value is one of, when they are all known.
std::vector<split::Text> few_texts(const Abstract& value) {
  std::vector<split::Text> texts;
  for (const AtomPtr& atom : value.atoms) {
    if (atom->kind != AtomKind::kText || atom->partial || atom->type.kind != TypeKind::kString) return {};
    texts.push_back(*atom->text);
  }
  return value.unknown ? std::vector<split::Text>{} : texts;
}

}  // namespace

Operand Lowerer::joined_string(const Node* node) {
  const split::Text& source = frame_->unit->text;
  const auto pieces =
      decode_literals(source, static_cast<std::size_t>(node->begin), static_cast<std::size_t>(node->end));
  std::vector<const Node*> fields;
  std::string literal;  // of all constants, to compare with what was decoded
  for (const Node* each : node->list("values")) {
    if (each == nullptr) continue;
    if (each->type() != NodeType::kConstant) {
      fields.push_back(each);
    } else if (each->raw("value").size() > 1 && each->raw("value")[1].is_string()) {
      literal += each->raw("value")[1].get<std::string>();
    }
  }
  std::string decoded;
  std::size_t decoded_fields = 0;
  if (pieces) {
    for (const LiteralPiece& piece : *pieces) {
      decoded += piece.text.bytes;
      decoded_fields += piece.field ? 1 : 0;
    }
  }
  const bool exact = pieces && decoded_fields == fields.size() && decoded == literal;
  const SourceSpan whole = source.map.resolve(node->begin, node->end);
  std::vector<split::Text> results(1);  // one for each combination of what the fields may be
  bool partial = false;
  std::vector<Operand> parts;
  const auto append = [&](const split::Text& piece) {
    for (split::Text& each : results) each.append(piece);
  };
  const auto add_field = [&](const Node* field) {
    const Operand value = expression(field->child("value"));
    parts.push_back(value);
    const Node* spec = field->child("format_spec");
    if (spec != nullptr) parts.push_back(joined_string(spec));
    bool piece_partial = false;
    std::optional<split::Text> piece;
    const std::int64_t conversion = field->number("conversion");
    const auto own =
        conversion <= 0 ? formatted(value, spec == nullptr ? nullptr : &parts.back(), field) : std::nullopt;
    if (own)
      piece = to_text(own->abs, field, piece_partial);
    else if (spec == nullptr && (conversion <= 0 || conversion == 's'))
      piece = to_text(value.abs, field, piece_partial);
    const std::vector<split::Text> choices =
        spec == nullptr && conversion <= 0 && !own ? few_texts(value.abs) : std::vector<split::Text>{};
    if (choices.size() > 1 && choices.size() * results.size() <= kMaxAtoms) {
      std::vector<split::Text> all;
      for (const split::Text& begun : results) {
        for (const split::Text& choice : choices) {
          all.push_back(begun);
          all.back().append(choice);
        }
      }
      results = std::move(all);
      return;
    }
    partial = partial || piece_partial || !piece;
    append(piece ? *piece : split::Text::coarse("0", whole));
  };
  std::size_t next_field = 0;
  if (exact) {
    for (const LiteralPiece& piece : *pieces) {
      if (piece.field)
        add_field(fields[next_field++]);
      else
        append(piece.text);
    }
  } else {
    for (const Node* each : node->list("values")) {
      if (each == nullptr) continue;
      if (each->type() != NodeType::kConstant)
        add_field(each);
      else if (each->raw("value").size() > 1 && each->raw("value")[1].is_string())
        append(split::Text::coarse(each->raw("value")[1].get<std::string>(), whole));
    }
  }
  Abstract made;
  for (split::Text& each : results) join_into(made, text(std::move(each), partial));
  if (!partial && results.size() == 1) return make_value(std::move(made), node, facts::OriginKind::kConstant);
  return emit_call("builtins.format", parts, std::move(made), node);
}

// What an own object is within a text: by its __format__, or by its __str__ where no format is asked for.
std::optional<Operand> Lowerer::formatted(const Operand& value, const Operand* spec, const Node* node) {
  const Atom* object = value.abs.single();
  if (object == nullptr || object->kind != AtomKind::kInstance) return std::nullopt;
  for (const char* method : {"__format__", "__str__", "__repr__"}) {
    const Abstract own = class_attribute(object->class_id, method, false, nullptr);
    if (own.bottom()) continue;
    const bool formats = std::string_view(method) == "__format__";
    if (!formats && spec != nullptr) return std::nullopt;
    const Operand callee = make_value(bound(own, value, object->class_id, false), node, facts::OriginKind::kComputed);
    std::vector<Argument> args;
    if (formats) args.push_back({spec != nullptr ? *spec : word_of("", node), "", false, node});
    return call(callee, args, node);
  }
  return std::nullopt;
}

// What `fold` makes of each combination of the texts that the arguments are.
Abstract Lowerer::each_text(const std::vector<Argument>& args, std::size_t most,
                            const std::function<Abstract(const std::vector<Argument>&)>& fold) {
  const auto several = std::find_if(args.begin(), args.end(), [&](const Argument& arg) {
    const std::size_t texts = arg.star ? 0 : few_texts(arg.operand.abs).size();
    return texts > 1 && texts <= most;
  });
  if (several == args.end()) return fold(args);
  Abstract all;
  const auto place = static_cast<std::size_t>(several - args.begin());
  const std::size_t choices = several->operand.abs.atoms.size();
  for (const AtomPtr& atom : several->operand.abs.atoms) {
    std::vector<Argument> given = args;
    given[place].operand.abs = Abstract{{atom}, false, {}};
    const Abstract one = each_text(given, most / choices, fold);
    if (one.bottom()) return {};
    join_into(all, one);
  }
  return all;
}

}  // namespace kernel_audit::analysis::python
