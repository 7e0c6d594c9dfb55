#include "tasks/loaders/imports.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>

namespace kernel_audit::tasks {
namespace {

// The standard library (sys.stdlib_module_names of Python 3.11) and the packages of candidates: what they name is
// installed, whatever lies beside the candidate.
constexpr std::string_view kInstalled =
    "abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect "
    "builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall "
    "concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm "
    "decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput "
    "fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq "
    "hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 "
    "linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt "
    "multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib "
    "pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd "
    "py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy "
    "sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd "
    "sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau "
    "symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit "
    "tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata "
    "unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp "
    "zipfile zipimport zlib zoneinfo "
    "torch torchvision triton numpy scipy cupy cupyx numba pycuda cuda cutlass tilelang warp jax einops";

constexpr std::size_t kLongestStatement = 4096;  // of one import in parentheses

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view skip_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

// The name at the front of `text`, which then begins behind it.
std::string take_name(std::string_view& text) {
  text = skip_blanks(text);
  std::size_t length = 0;
  while (length < text.size() && is_name(text[length])) ++length;
  std::string name(text.substr(0, length));
  text.remove_prefix(length);
  return name;
}

bool take_word(std::string_view& text, std::string_view word) {
  std::string_view rest = text;
  if (take_name(rest) != word) return false;
  text = rest;
  return true;
}

// "a.b.c" at the front of `text`, with the dots that lead to it; those alone before the word `import`.
std::string take_path(std::string_view& text) {
  std::string path;
  for (text = skip_blanks(text); text.starts_with('.'); text = skip_blanks(text.substr(1))) path += '.';
  if (std::string_view rest = text; take_word(rest, "import")) return path;
  for (path += take_name(text); !path.empty() && is_name(path.back()); path += take_name(text)) {
    const std::string_view rest = skip_blanks(text);
    if (!rest.starts_with('.')) break;
    text = rest.substr(1);
    path += '.';
  }
  return path;
}

// "a.b as c, d": the names, each after `package`.
void take_list(std::string_view text, const std::string& package, std::vector<std::string>& found) {
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view one = text.substr(0, comma);
    while (!one.empty() && !is_name(one.front())) one.remove_prefix(1);
    const std::string path = take_path(one);
    if (!path.empty()) found.push_back(package + path);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
}

void take_statement(std::string_view text, std::string_view rest, std::vector<std::string>& found) {
  if (take_word(text, "import")) return take_list(text.substr(0, text.find_first_of(";#")), "", found);
  if (!take_word(text, "from")) return;
  std::string package = take_path(text);
  if (package.empty()) return;
  if (is_name(package.back())) {
    found.push_back(package);
    package += '.';
  }
  if (!take_word(text, "import")) return;
  text = skip_blanks(text);
  if (!text.starts_with('(')) return take_list(text.substr(0, text.find_first_of(";#")), package, found);
  const auto begin = static_cast<std::size_t>(text.data() - rest.data()) + 1;
  std::string_view inside = rest.substr(begin, kLongestStatement);
  take_list(inside.substr(0, inside.find(')')), package, found);
}

// `("name")`, with or without dots before the name.
void take_call(std::string_view text, std::vector<std::string>& found) {
  if (!text.starts_with('(')) return;
  text = text.substr(1);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
  if (!text.starts_with('\'') && !text.starts_with('"')) return;
  text.remove_prefix(1);
  found.push_back(take_path(text));
}

}  // namespace

bool is_installed(const std::string& module) {
  static const std::set<std::string> names = [] {
    std::istringstream words{std::string(kInstalled)};
    return std::set<std::string>(std::istream_iterator<std::string>(words), {});
  }();
  return names.contains(module);
}

std::vector<std::string> imported_modules(std::string_view source) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t end = std::min(source.find_first_of("\n;", at), source.size());
    take_statement(source.substr(at, end - at), source, found);
    at = end + 1;
  }
  for (const std::string_view loader : {"import_module", "__import__"}) {
    for (std::size_t at = source.find(loader); at != std::string_view::npos; at = source.find(loader, at + 1)) {
      take_call(source.substr(at + loader.size()), found);
    }
  }
  std::vector<std::string> names;
  for (std::string& name : found) {
    if (!name.empty() && is_name(name.back()) && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  return names;
}

}  // namespace kernel_audit::tasks
