#include "tasks/loaders/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace kernel_audit::tasks {
namespace {

class OpenFile {
 public:
  // O_NONBLOCK: opening a FIFO must not wait for a writer; it has no effect on regular files.
  explicit OpenFile(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

Error system_error(const std::string& path, const std::string& what, int number) {
  return {ErrorKind::kUsage, what + ": " + std::strerror(number), path, "", "check the path and its permissions"};
}

Error too_large(const std::string& path, std::size_t bytes, std::size_t max_bytes) {
  return {ErrorKind::kUsage,
          "the file has " + std::to_string(bytes) + " bytes, more than the limit of " + std::to_string(max_bytes), path,
          "", "split it, or leave it out"};
}

// Length of the UTF-8 sequence that starts at `at`, 0 when there is no valid one (overlong forms, surrogates and
// values above U+10FFFF are invalid).
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(at);
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  std::uint8_t low = 0x80, high = 0xBF;  // allowed range of the second byte
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  }
  if (length == 0 || at + length > text.size()) return 0;
  if (byte(at + 1) < low || byte(at + 1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t max_bytes) {
  const OpenFile file(path);
  if (file.fd() < 0) return system_error(path, "cannot be opened", errno);
  struct stat status{};
  if (::fstat(file.fd(), &status) != 0) return system_error(path, "cannot be examined", errno);
  if (!S_ISREG(status.st_mode)) {
    return Error{ErrorKind::kUsage, "is not a regular file", path, "", "name a file or a directory of files"};
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > max_bytes) return too_large(path, size, max_bytes);
  std::string text;
  text.reserve(size);
  std::array<char, 65536> chunk;
  for (;;) {
    const ssize_t got = ::read(file.fd(), chunk.data(), chunk.size());
    if (got < 0) {
      if (errno == EINTR) continue;
      return system_error(path, "cannot be read", errno);
    }
    if (got == 0) return text;
    text.append(chunk.data(), static_cast<std::size_t>(got));
    if (text.size() > max_bytes) return too_large(path, text.size(), max_bytes);  // it grew while being read
  }
}

std::optional<std::string> text_fault(std::string_view text) {
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const auto where = [&] { return " at byte " + std::to_string(at) + " (line " + std::to_string(line) + ")"; };
    if (text[at] == '\0') return "the text has a NUL byte" + where();
    const std::size_t length = sequence_length(text, at);
    if (length == 0) return "the text is not valid UTF-8" + where();
    if (text[at] == '\n') ++line;
    at += length;
  }
  return std::nullopt;
}

std::optional<SourceFile> read_source(const Place& place, LoadContext& context) {
  if (context.files_read == context.limits.files) {
    context.problem({ErrorKind::kUsage,
                     "more than " + std::to_string(context.limits.files) + " source files were found", place.path, "",
                     "name a smaller directory"});
  }
  if (context.files_read++ >= context.limits.files) return std::nullopt;
  auto text = read_file(place.path, context.limits.source_bytes);
  if (!text) {
    context.problem(text.error());
    return std::nullopt;
  }
  if (const auto fault = text_fault(*text)) {
    context.problem({ErrorKind::kUsage, *fault, place.path, "", "save the file as UTF-8 text"});
    return std::nullopt;
  }
  SourceFile source;
  source.file = place.path;
  source.path = place.path;
  source.text = std::move(*text);
  source.language = language_of(place.path).value_or(Language::kPython);
  return source;
}

bool has_extension(std::string_view file_name, std::string_view extension) {
  return file_name.size() > extension.size() &&
         lower(file_name.substr(file_name.size() - extension.size())) == extension;
}

std::optional<Language> language_of(std::string_view file_name) {
  if (has_extension(file_name, ".py")) return Language::kPython;
  for (const char* extension : {".cu", ".cuh"}) {
    if (has_extension(file_name, extension)) return Language::kCuda;
  }
  for (const char* extension : {".cpp", ".cc", ".cxx", ".h", ".hpp", ".inl"}) {
    if (has_extension(file_name, extension)) return Language::kCpp;
  }
  return std::nullopt;
}

bool is_header(std::string_view file_name) {
  for (const char* extension : {".cuh", ".h", ".hpp", ".inl"}) {
    if (has_extension(file_name, extension)) return true;
  }
  return false;
}

std::string stem(std::string_view file_name) {
  const std::size_t slash = file_name.rfind('/');
  const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
  const std::size_t dot = file_name.rfind('.');
  if (dot == std::string_view::npos || dot <= begin) return std::string(file_name.substr(begin));
  return std::string(file_name.substr(begin, dot - begin));
}

}  // namespace kernel_audit::tasks
