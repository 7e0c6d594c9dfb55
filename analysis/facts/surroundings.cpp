#include "analysis/facts/surroundings.h"

#include <array>
#include <utility>

namespace kernel_audit::analysis::facts {
namespace {

// A name that ends in a dot stands for everything below it.
constexpr std::array<std::pair<std::string_view, Surroundings>, 78> kNames{{
    {"os.environ", Surroundings::kSettings},
    {"os.environ.", Surroundings::kSettings},
    {"os.environb", Surroundings::kSettings},
    {"os.getenv", Surroundings::kSettings},
    {"std::getenv", Surroundings::kSettings},
    {"getenv", Surroundings::kSettings},
    {"sys.argv", Surroundings::kSettings},
    {"sys.orig_argv", Surroundings::kSettings},
    {"sys.argv.", Surroundings::kSettings},  // what a word of it is asked
    {"sys.orig_argv.", Surroundings::kSettings},
    {"argparse.ArgumentParser.parse_args", Surroundings::kSettings},
    {"argparse.ArgumentParser.parse_known_args", Surroundings::kSettings},
    {"os.getpid", Surroundings::kSettings},
    {"os.getppid", Surroundings::kSettings},
    {"os.uname", Surroundings::kSettings},
    {"platform.node", Surroundings::kSettings},
    {"socket.gethostname", Surroundings::kSettings},
    {"sys.gettrace", Surroundings::kSettings},
    {"sys.getprofile", Surroundings::kSettings},
    {"psutil.", Surroundings::kSettings},
    {"time.time", Surroundings::kClock},
    {"time.time_ns", Surroundings::kClock},
    {"time.perf_counter", Surroundings::kClock},
    {"time.perf_counter_ns", Surroundings::kClock},
    {"time.monotonic", Surroundings::kClock},
    {"time.monotonic_ns", Surroundings::kClock},
    {"time.process_time", Surroundings::kClock},
    {"datetime.datetime.now", Surroundings::kClock},
    {"datetime.datetime.utcnow", Surroundings::kClock},
    {"inspect.stack", Surroundings::kStack},
    {"inspect.trace", Surroundings::kStack},
    {"inspect.currentframe", Surroundings::kStack},
    {"inspect.getouterframes", Surroundings::kStack},
    {"sys._getframe", Surroundings::kStack},
    {"sys._getframemodulename", Surroundings::kStack},
    {"sys._current_frames", Surroundings::kStack},
    {"traceback.extract_stack", Surroundings::kStack},
    {"traceback.format_stack", Surroundings::kStack},
    {"traceback.walk_stack", Surroundings::kStack},
    {"__main__", Surroundings::kProgram},
    {"__main__.", Surroundings::kProgram},
    {"gc.get_objects", Surroundings::kProgram},
    {"gc.get_referrers", Surroundings::kProgram},
    {"gc.get_referents", Surroundings::kProgram},
    {"sys.modules", Surroundings::kSettings},
    {"sys.modules.values", Surroundings::kProgram},
    {"sys.modules.items", Surroundings::kProgram},
    {"torch.load", Surroundings::kFile},
    {"torch.jit.load", Surroundings::kFile},
    {"torch.from_file", Surroundings::kFile},
    {"torch.UntypedStorage.from_file", Surroundings::kFile},
    {"torch.FloatStorage.from_file", Surroundings::kFile},
    {"numpy.load", Surroundings::kFile},
    {"numpy.fromfile", Surroundings::kFile},
    {"numpy.memmap", Surroundings::kFile},
    {"numpy.loadtxt", Surroundings::kFile},
    {"pickle.load", Surroundings::kFile},
    {"pickle.loads", Surroundings::kFile},
    {"joblib.load", Surroundings::kFile},
    {"safetensors.torch.load_file", Surroundings::kFile},
    {"shelve.open", Surroundings::kFile},
    {"h5py.File", Surroundings::kFile},
    {"mmap.mmap", Surroundings::kFile},
    {"multiprocessing.shared_memory.SharedMemory", Surroundings::kFile},
    {"builtins.open", Surroundings::kFile},
    {"io.open", Surroundings::kFile},
    {"io.file.read", Surroundings::kFile},
    {"torch::load", Surroundings::kFile},
    {"fread", Surroundings::kFile},
    {"std::fread", Surroundings::kFile},
    {"fgets", Surroundings::kFile},
    {"std::fgets", Surroundings::kFile},
    {"read", Surroundings::kFile},
    {"pread", Surroundings::kFile},
    {"std::istream::read", Surroundings::kFile},
    {"std::ifstream::read", Surroundings::kFile},
    {"std::fstream::read", Surroundings::kFile},
    {"std::ifstream::ifstream", Surroundings::kFile},
}};

}  // namespace

Surroundings surroundings_of(std::string_view name) {
  for (const auto& [known, what] : kNames) {
    const bool below = known.ends_with('.');
    if (below ? name.substr(0, known.size()) == known : name == known) return what;
  }
  return Surroundings::kNothing;
}

}  // namespace kernel_audit::analysis::facts
