// Drives a fuzz target without libFuzzer: mutates the seeds given on the command line (files or folders) for so many
// seconds. No coverage feedback: it finds what small edits of real inputs break. The input in flight is written to
// `crash-input` first, so that a crash leaves it behind.
//   TARGET --seconds N [--seed N] SEED…        or TARGET --once FILE… to try inputs as they are
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t kMaxInputBytes = std::size_t{64} * 1024;

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Mutator {
 public:
  Mutator(std::vector<std::string> seeds, std::uint64_t seed) : seeds_(std::move(seeds)), random_(seed) {}

  std::string next() {
    std::string text = pick(seeds_);
    const std::size_t edits = 1 + below(8);
    for (std::size_t i = 0; i < edits; ++i) edit(text);
    if (text.size() > kMaxInputBytes) text.resize(kMaxInputBytes);
    return text;
  }

 private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }
  const std::string& pick(const std::vector<std::string>& from) { return from[below(from.size())]; }

  void edit(std::string& text) {
    static const std::vector<std::string> words = {"(",
                                                   ")",
                                                   "[",
                                                   "]",
                                                   "{",
                                                   "}",
                                                   "\"",
                                                   "'",
                                                   "\"\"\"",
                                                   "'''",
                                                   "\\",
                                                   "\n",
                                                   "\t",
                                                   "#",
                                                   "//",
                                                   "/*",
                                                   "*/",
                                                   "R\"(",
                                                   ")\"",
                                                   "f\"{",
                                                   "<<<",
                                                   ">>>",
                                                   ",",
                                                   ":",
                                                   "=",
                                                   ":=",
                                                   "0",
                                                   "-1",
                                                   "9223372036854775808",
                                                   "1e308",
                                                   "null",
                                                   "true",
                                                   "\xff",
                                                   "\xe2\x80\xae",
                                                   std::string(1, '\0'),
                                                   "kernel-audit: allow KA301",
                                                   "exec(",
                                                   "getattr(",
                                                   "lambda ",
                                                   "yield ",
                                                   "__global__ ",
                                                   "template<",
                                                   "#define A A A\n",
                                                   "#include \"",
                                                   "asm(\"",
                                                   "decltype("};
    const std::size_t at = below(text.size() + 1), length = below(std::min<std::size_t>(64, text.size() - at) + 1);
    switch (below(7)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, pick(words));
        break;
      case 2:  // a piece of another place
        text.insert(at, text.substr(below(text.size() + 1), below(256)));
        break;
      case 3: {  // a piece of another seed
        const std::string& other = pick(seeds_);
        text.insert(at, other.substr(below(other.size() + 1), below(512)));
        break;
      }
      case 4:
        if (at < text.size()) text[at] = static_cast<char>(random_());
        break;
      case 5:
        text.replace(at, length, pick(words));
        break;
      default: {  // deep nesting
        std::string many;
        const std::string& word = pick(words);
        for (std::size_t i = below(200); i > 0; --i) many += word;
        text.insert(at, many);
        break;
      }
    }
  }

  std::vector<std::string> seeds_;
  std::mt19937_64 random_;
};

void try_one(const std::string& input) {
  // An own allocation of just this size: one byte beyond it is an error that the sanitizer sees.
  const std::vector<std::uint8_t> bytes(input.begin(), input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  double seconds = 10;
  std::uint64_t seed = 1;
  bool once = false;
  std::vector<std::string> seeds;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
      seconds = std::atof(argv[++i]);
    } else if (std::strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (std::strcmp(argv[i], "--once") == 0) {
      once = true;
    } else if (fs::is_directory(argv[i])) {
      for (const auto& entry : fs::recursive_directory_iterator(argv[i])) {
        const std::string ending = entry.path().extension().string();
        if (entry.is_regular_file() && (ending == ".py" || ending == ".cu" || ending == ".json"))
          seeds.push_back(read(entry.path()));
      }
    } else {
      seeds.push_back(read(argv[i]));
    }
  }
  if (seeds.empty()) {
    std::fprintf(stderr, "usage: %s --seconds N [--seed N] SEED... | --once FILE...\n", argv[0]);
    return 2;
  }
  for (const std::string& each : seeds) try_one(each);
  if (once) return 0;
  Mutator mutator(seeds, seed);
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  std::size_t tried = 0;
  for (; elapsed() < seconds; ++tried) {
    const std::string input = mutator.next();
    std::ofstream("crash-input", std::ios::binary) << input;
    try_one(input);
  }
  fs::remove("crash-input");
  std::printf("%zu inputs from %zu seeds in %.0f s, random seed %llu: no crash\n", tried, seeds.size(), elapsed(),
              static_cast<unsigned long long>(seed));
  return 0;
}
