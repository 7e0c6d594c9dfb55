// Constants that are packed: coded in base64 and its like, compressed, or both. The Python that reads the candidates
// unpacks them, and runs nothing of what it finds.
#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {
namespace {

using split::Text;

std::string decode_base64(const std::string& coded) {
  static const std::string kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0;
  int held = 0;
  for (const char c : coded) {
    const std::size_t digit = kAlphabet.find(c);
    if (digit == std::string::npos) continue;
    bits = (bits << 6) | static_cast<unsigned>(digit);
    held += 6;
    if (held >= 8) {
      held -= 8;
      out += static_cast<char>((bits >> held) & 0xFF);
    }
  }
  return out;
}

// The name that ast_server.py has for what a function undoes, or "".
std::string packing_of(const std::string& function) {
  static const std::map<std::string, std::string> packings = {
      {"zlib.decompress", "zlib"},       {"gzip.decompress", "gzip"},          {"bz2.decompress", "bz2"},
      {"lzma.decompress", "lzma"},       {"base64.b64decode", "base64"},       {"base64.standard_b64decode", "base64"},
      {"base64.decodebytes", "base64"},  {"binascii.a2b_base64", "base64"},    {"base64.urlsafe_b64decode", "urlsafe"},
      {"base64.b32decode", "base32"},    {"base64.b16decode", "hex"},          {"base64.b85decode", "base85"},
      {"base64.a85decode", "ascii85"},   {"binascii.unhexlify", "hex"},        {"binascii.a2b_hex", "hex"},
      {"builtins.bytes.fromhex", "hex"}, {"builtins.bytearray.fromhex", "hex"}};
  const auto found = packings.find(function);
  return found == packings.end() ? std::string() : found->second;
}

// The same for the name of a codec of codecs.decode.
std::string packing_of_codec(std::string codec) {
  for (char& c : codec) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (codec.ends_with("_codec")) codec.resize(codec.size() - 6);
  if (codec == "rot13" || codec == "rot_13") return "rot13";
  if (codec == "zip" || codec == "zlib") return "zlib";
  return codec == "base64" || codec == "hex" || codec == "bz2" ? codec : std::string();
}

}  // namespace

// zlib.decompress(base64.b64decode("…")) and its like, of a constant.
Abstract Lowerer::fold_unpacked(const std::string& function, const std::vector<Argument>& args) {
  const Atom* packed = args.empty() || args[0].star ? nullptr : args[0].operand.abs.single();
  if (packed == nullptr || packed->kind != AtomKind::kText || packed->partial) return {};
  std::string packing = packing_of(function);
  if ((function == "codecs.decode" || function == "codecs.encode") && args.size() == 2) {
    const Text* codec = folded_text(args[1].operand.abs);
    if (codec == nullptr) return {};
    packing = packing_of_codec(codec->bytes);
    if (function == "codecs.encode" && packing != "rot13") return {};
  }
  if (packing.empty()) return {};
  std::optional<std::string>& unpacked = unpacked_[{packing, packed->text->bytes}];
  if (!unpacked) {
    const Result<Json> answer = interpreter_.parse(packed->text->bytes, ("unpack:" + packing).c_str());
    unpacked = answer ? decode_base64(answer->value("unpacked", "")) : std::string();
  }
  if (unpacked->empty()) return {};
  Atom made = *packed;
  made.type = {packing == "rot13" ? TypeKind::kString : TypeKind::kBytes, ""};
  made.text =
      std::make_shared<const Text>(Text::coarse(*unpacked, packed->text->map.resolve(0, packed->text->map.size())));
  return make(std::move(made));
}

// bytes((103, 99)): the ASCII characters of these numbers.
std::optional<std::string> Lowerer::bytes_of(const Abstract& numbers) {
  const auto items = sequence_of(numbers);
  if (!items || items->empty()) return std::nullopt;
  std::string bytes;
  for (const Abstract& item : *items) {
    const Atom* code = item.single();
    const bool number = code != nullptr && code->kind == AtomKind::kConstant && code->constant.is_number_integer();
    const std::int64_t value = number ? code->constant.get<std::int64_t>() : -1;
    if (value < 0 || value > 127) return std::nullopt;
    bytes += static_cast<char>(value);
  }
  return bytes;
}

}  // namespace kernel_audit::analysis::python
