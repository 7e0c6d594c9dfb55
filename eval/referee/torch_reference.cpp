#include "eval/referee/torch_reference.h"

#include <ATen/ATen.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "auditor/core/digest.h"
#include "auditor/worker/tensor.h"
#include "eval/protocol.h"
#include "eval/referee/default_device.h"
#include "eval/referee/torch_compare.h"
#include "eval/timing/random.h"

namespace kernel_audit::eval {
namespace {

constexpr std::uint64_t kKeptBytes = std::uint64_t{256} << 20;  // of expected outputs of earlier calls
constexpr std::size_t kKeptCalls = 64;

Error task_error(const std::string& message) { return Error{ErrorKind::kUsage, message, "", "task", ""}; }

// Exceptions of torch stop here.
template <typename Body>
auto guarded(Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::exception& e) {
    const std::string message = std::string(e.what()).substr(0, 2000);
    const bool memory = message.find("out of memory") != std::string::npos ||
                        message.find("can't allocate memory") != std::string::npos;
    return Error{memory ? ErrorKind::kMemory : ErrorKind::kTool, "The referee's own computation failed: " + message, "",
                 "", ""};
  }
}

// Inputs cross as they lie in memory, so they must fill it.
at::Tensor dense(const at::Tensor& tensor) {
  return tensor.is_non_overlapping_and_dense() ? tensor : tensor.contiguous();
}

TensorSpec spec_of(const at::Tensor& tensor) {
  return TensorSpec{worker::dtype_name(tensor.scalar_type()), tensor.sizes().vec(), tensor.strides().vec(),
                    tensor.nbytes()};
}

bool same_spec(const TensorSpec& a, const TensorSpec& b) {
  return a.dtype == b.dtype && a.shape == b.shape && a.strides == b.strides;
}

bool shares_storage(const at::Tensor& a, const at::Tensor& b) {
  return a.numel() > 0 && b.numel() > 0 && a.storage().is_alias_of(b.storage());
}

StateDigest digest_of(const worker::StateEntry& entry) {
  const at::Tensor host = entry.tensor.cpu().contiguous();
  Sha256 digest;
  digest.update(host.const_data_ptr(), host.nbytes());
  return StateDigest{entry.name, worker::dtype_name(host.scalar_type()), to_hex(digest.finish()), host.sizes().vec()};
}

at::Tensor patterned(std::uint64_t word, std::uint64_t bytes, const at::Device& device) {
  const auto words = static_cast<std::int64_t>((bytes + 7) / 8);
  return at::full({words}, static_cast<std::int64_t>(word), at::TensorOptions().dtype(at::kLong).device(device));
}

}  // namespace

Result<std::unique_ptr<TorchReference>> TorchReference::load(const TorchReferenceOptions& options) {
  std::unique_ptr<TorchReference> reference(new TorchReference(options));
  return guarded([&]() -> Result<std::unique_ptr<TorchReference>> {
    if (Status status = reference->load_model(); !status) return status.error();
    if (Status status = reference->describe(); !status) return status.error();
    return std::move(reference);
  });
}

Status TorchReference::load_model() {
  // As the parties have it: full precision unless a module says otherwise.
  at::globalContext().setAllowTF32CuBLAS(false);
  at::globalContext().setAllowTF32CuDNN(false);
  auto module = worker::PythonModule::load(options_.module_path, "kernel_audit_reference");
  if (!module) return module.error();
  module_ = std::move(*module);
  auto init = module_->call_get_init_inputs();
  if (!init) return init.error();
  init_ = std::move(*init);
  for (const worker::Argument& argument : init_) {
    if (argument.tensor || argument.python_type == "opaque") {
      return task_error("The model's constructor takes an argument of type " + argument.python_type +
                        ", which cannot be sent to another process.");
    }
    init_arguments_.push_back(Json{{"plain", argument.plain}, {"python_type", argument.python_type}});
  }
  worker::seed_everything(options_.weight_seed);
  auto model = module_->construct(options_.class_name, init_);
  if (!model) return model.error();
  model_ = std::move(*model);
  model_->set_training(options_.training);
  if (Status moved = model_->to(options_.device, std::nullopt); !moved) return moved;
  for (const worker::StateEntry& entry : model_->state()) state_.push_back(digest_of(entry));
  return Ok{};
}

std::vector<worker::Argument> TorchReference::arguments_of(const Tensors& tensors) const {
  std::vector<worker::Argument> arguments = template_;
  std::size_t next = 0;
  for (worker::Argument& argument : arguments) {
    if (argument.tensor) argument.tensor = tensors[next++];
  }
  return arguments;
}

Result<TorchReference::Tensors> TorchReference::draw_inputs(std::uint64_t seed) {
  worker::seed_everything(seed);
  auto drawn = [&] {
    if (draws_on_device_) {
      const DefaultDevice scope(options_.device);
      return module_->call_get_inputs();
    }
    return module_->call_get_inputs();
  }();
  if (!drawn && draws_on_device_) {  // it insists on the host
    draws_on_device_ = false;
    return draw_inputs(seed);
  }
  if (!drawn) return drawn.error();
  if (!template_.empty() && drawn->size() != template_.size())
    return task_error("The number of inputs depends on the seed.");
  Tensors tensors;
  for (const worker::Argument& argument : *drawn) {
    if (argument.tensor) tensors.push_back(dense(argument.tensor->detach().to(at::Device(options_.device))));
  }
  if (template_.empty()) {
    template_ = std::move(*drawn);
  } else {
    std::size_t next = 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (!inputs_[i].tensor) continue;
      const bool fits = next < tensors.size() && same_spec(*inputs_[i].tensor, spec_of(tensors[next]));
      if (!fits) return task_error("The shape or type of an input depends on the seed.");
      ++next;
    }
  }
  return tensors;
}

Result<TorchReference::Tensors> TorchReference::run_model(const Tensors& inputs) {
  Tensors own = inputs;
  if (writes_inputs_) {
    for (at::Tensor& tensor : own) tensor = tensor.clone();
  }
  auto outputs = model_->forward(arguments_of(own));
  if (!outputs) return outputs.error();
  Tensors result;
  for (const at::Tensor& output : *outputs) {
    result.push_back(reuses_outputs_ ? output.detach().clone(at::MemoryFormat::Contiguous)
                                     : output.detach().contiguous());
  }
  return result;
}

bool TorchReference::accepted(const Tensors& actual, const Tensors& expected) const {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!tensors_accepted(actual[i], expected[i], scalars_[i], tolerances_[i])) return false;
  }
  return true;
}

Status TorchReference::describe() {
  draws_on_device_ = options_.device != "cpu";
  Random random(options_.probe_seed);
  auto drawn = draw_inputs(random.next());
  if (!drawn) return drawn.error();
  const Tensors inputs = std::move(*drawn);
  std::size_t next = 0;
  for (const worker::Argument& argument : template_) {
    if (!argument.tensor && argument.python_type == "opaque") {
      return task_error(
          "An input of the task is neither a tensor nor plain data, and cannot be sent to another process.");
    }
    ArgumentSpec spec;
    spec.python_type = argument.python_type;
    if (argument.tensor) spec.tensor = spec_of(inputs[next++]);
    spec.plain = argument.plain;
    inputs_.push_back(std::move(spec));
  }
  writes_inputs_ = reuses_outputs_ = true;  // until it is known
  const std::uint64_t seed = random.next();
  std::vector<Tensors> runs;
  Tensors own, raw;
  for (const std::uint64_t generator : {seed, seed, random.next()}) {
    own.clear();
    for (const at::Tensor& tensor : inputs) own.push_back(tensor.clone());
    worker::seed_everything(generator);
    auto outputs = model_->forward(arguments_of(own));
    if (!outputs) return outputs.error();
    if (outputs->empty()) return task_error("The reference returns no tensor.");
    runs.emplace_back();
    for (const at::Tensor& output : *outputs)
      runs.back().push_back(output.detach().clone(at::MemoryFormat::Contiguous));
    raw = std::move(*outputs);
  }
  bool writes = false, reuses = false;
  for (std::size_t i = 0; i < inputs.size(); ++i) writes = writes || !same_bits(own[i], inputs[i]);
  auto again = model_->forward(arguments_of(own));  // `raw` is still held
  if (!again) return again.error();
  for (std::size_t i = 0; i < raw.size() && i < again->size(); ++i) {
    reuses = reuses || shares_storage(raw[i], (*again)[i]);
    for (const at::Tensor& input : own) reuses = reuses || shares_storage(raw[i], input);
  }
  writes_inputs_ = writes;
  reuses_outputs_ = reuses;

  for (const at::Tensor& output : runs[0]) {
    outputs_.push_back(spec_of(output));
    const auto scalar = scalar_from_dtype(outputs_.back().dtype);
    if (!scalar)
      return task_error("An output of the reference is of type " + outputs_.back().dtype + ", which is not compared.");
    scalars_.push_back(*scalar);
    auto tolerance = benchmark_tolerance(options_.compat, *scalar);
    if (!tolerance) return tolerance.error();
    tolerances_.push_back(*tolerance);
  }
  if (inputs.size() > kMaxTensors || outputs_.size() > kMaxTensors)
    return task_error("The task has more tensors than a call may have.");
  for (const Tensors& run : runs) {
    bool fits = run.size() == outputs_.size();
    for (std::size_t i = 0; fits && i < run.size(); ++i) fits = same_spec(spec_of(run[i]), outputs_[i]);
    if (!fits) not_comparable_ = "The reference returns outputs of other shapes for equal input.";
  }
  if (!not_comparable_.empty()) return Ok{};
  varies_ = !accepted(runs[2], runs[0]);
  if (!accepted(runs[1], runs[0])) {
    not_comparable_ =
        "The reference gives other outputs for equal input and equal seeds: its forward keeps state or is not "
        "deterministic.";
  }
  return Ok{};
}

Result<std::pair<Json, process::Fd>> TorchReference::weights(const std::vector<std::string>& names) {
  return guarded([&]() -> Result<std::pair<Json, process::Fd>> {
    process::Fd file(memfd_create("weights", MFD_CLOEXEC));
    Json list = Json::array();
    std::uint64_t offset = 0;
    for (const worker::StateEntry& entry : model_->state()) {
      if (std::find(names.begin(), names.end(), entry.name) == names.end()) continue;
      const at::Tensor host = entry.tensor.cpu().contiguous();
      const char* data = static_cast<const char*>(host.const_data_ptr());
      for (std::size_t done = 0; done < host.nbytes();) {
        const ssize_t wrote = pwrite(file.get(), data + done, host.nbytes() - done, static_cast<off_t>(offset + done));
        if (wrote <= 0)
          return Error{ErrorKind::kMemory, "The weights could not be put into a memory file.", "", "", ""};
        done += static_cast<std::size_t>(wrote);
      }
      list.push_back(Json{{"name", entry.name},
                          {"dtype", worker::dtype_name(host.scalar_type())},
                          {"shape", host.sizes().vec()},
                          {"offset", offset},
                          {"bytes", host.nbytes()}});
      offset = (offset + host.nbytes() + 63) / 64 * 64;
    }
    if (ftruncate(file.get(), static_cast<off_t>(offset)) != 0) {
      return Error{ErrorKind::kMemory, "The weights could not be put into a memory file.", "", "", ""};
    }
    return std::make_pair(Json{{"kind", "weights"}, {"bytes", offset}, {"state", std::move(list)}}, std::move(file));
  });
}

// Expected outputs of calls gone by, so that a stale answer is known as one.
void TorchReference::keep_expected() {
  std::uint64_t bytes = 0;
  for (const TensorSpec& output : outputs_) bytes += output.bytes;
  const std::uint64_t most = std::clamp<std::uint64_t>(kKeptBytes / std::max<std::uint64_t>(bytes, 1), 1, kKeptCalls);
  for (Tensors& outputs : expected_) {
    recent_.push_back(std::move(outputs));
  }
  while (recent_.size() > most) recent_.pop_front();
}

Status TorchReference::draw(const Draw& draw) {
  return guarded([&]() -> Status {
    keep_expected();
    pristine_.clear();
    expected_.clear();
    exact_.clear();
    for (const std::uint64_t seed : draw.input_seeds) {
      auto inputs = draw_inputs(seed);
      if (!inputs) return inputs.error();
      pristine_.push_back(std::move(*inputs));
    }
    if (varies_) worker::seed_everything(draw.rng_seed);
    for (const Tensors& inputs : pristine_) {
      auto outputs = run_model(inputs);
      if (!outputs) return outputs.error();
      expected_.push_back(std::move(*outputs));
    }
    const auto same_shape = [](const Tensors& a, const Tensors& b) { return a.size() == b.size(); };
    if (received_.size() != expected_.size() || rechecked_.empty() || !same_shape(received_[0], expected_[0])) {
      received_.clear();
      rechecked_.clear();
      for (const Tensors& outputs : expected_) {
        received_.emplace_back();
        for (const at::Tensor& output : outputs) received_.back().push_back(at::empty_like(output));
      }
      for (const at::Tensor& output : expected_[0]) rechecked_.push_back(at::empty_like(output));
    }
    Random random(draw.poison_seed);
    poison_.clear();
    words_.clear();
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      words_.push_back(poison_word(scalars_[i], random.next()));
      poison_.push_back(patterned(words_[i], outputs_[i].bytes, expected_[0][i].device()));
    }
    return Ok{};
  });
}

void TorchReference::remember(int call) {
  std::uint64_t bytes = 0;
  for (const TensorSpec& output : outputs_) bytes += output.bytes;
  if (!remembered_.empty() && (remembered_.size() + 1) * bytes > kKeptBytes) return;
  if (remembered_.size() < kKeptCalls) remembered_.push_back(expected_[static_cast<std::size_t>(call)]);
}

const void* TorchReference::input(int call, int input) const {
  return pristine_[static_cast<std::size_t>(call)][static_cast<std::size_t>(input)].const_data_ptr();
}
const void* TorchReference::poison(int output) const {
  return poison_[static_cast<std::size_t>(output)].const_data_ptr();
}
void* TorchReference::received(int call, int output) {
  return received_[static_cast<std::size_t>(call)][static_cast<std::size_t>(output)].data_ptr();
}
void* TorchReference::rechecked(int output) { return rechecked_[static_cast<std::size_t>(output)].data_ptr(); }

std::uint64_t TorchReference::call_bytes() const {
  std::uint64_t bytes = 0;
  for (const ArgumentSpec& input : inputs_) bytes += input.tensor ? input.tensor->bytes : 0;
  for (const TensorSpec& output : outputs_) bytes += output.bytes;
  return bytes;
}

bool TorchReference::is_stale(const at::Tensor& actual, int call, int output) {
  const auto index = static_cast<std::size_t>(output);
  const auto equals = [&](const Tensors& earlier) {
    return tensors_accepted(actual, earlier[index], scalars_[index], tolerances_[index]);
  };
  if (std::any_of(remembered_.begin(), remembered_.end(), equals)) return true;
  // What was returned once may be returned again, long after it would have been forgotten.
  const auto know = [&](const Tensors& earlier) {
    if (!equals(earlier)) return false;
    if (remembered_.size() < 2 * kKeptCalls) remembered_.push_back(earlier);
    return true;
  };
  for (std::size_t other = 0; other < expected_.size(); ++other) {
    if (static_cast<int>(other) != call && know(expected_[other])) return true;
  }
  return std::any_of(recent_.rbegin(), recent_.rend(), know);
}

Status TorchReference::compute_exact(int call) {
  const Error refused = task_error("The model does not run in double precision.");
  if (!exact_model_) {
    worker::seed_everything(options_.weight_seed);
    auto model = module_->construct(options_.class_name, init_);
    if (!model) return model.error();
    (*model)->set_training(options_.training);
    if (Status moved = (*model)->to(options_.device, at::kDouble); !moved) return moved;
    exact_model_ = std::move(*model);
  }
  Tensors inputs, result;
  for (const at::Tensor& tensor : pristine_[static_cast<std::size_t>(call)]) {
    inputs.push_back(tensor.is_floating_point() ? tensor.to(at::kDouble) : tensor.clone());
  }
  auto outputs = exact_model_->forward(arguments_of(inputs));
  if (!outputs) return outputs.error();
  if (outputs->size() != outputs_.size()) return refused;
  for (std::size_t i = 0; i < outputs->size(); ++i) {
    const at::Tensor& output = (*outputs)[i];
    // A reference that casts to another precision on its way is no oracle.
    if (output.sizes().vec() != outputs_[i].shape) return refused;
    if (is_floating(scalars_[i]) && output.scalar_type() != at::kDouble) return refused;
    result.push_back(output.detach().cpu().contiguous());
  }
  exact_[call] = std::move(result);
  return Ok{};
}

const TorchReference::Tensors* TorchReference::exact(int call) {
  if (varies_ || exact_failed_) return nullptr;
  if (exact_.find(call) == exact_.end()) {
    exact_failed_ = !guarded([&] { return compute_exact(call); });
    if (exact_failed_) return nullptr;
  }
  return &exact_.at(call);
}

void TorchReference::ask_oracle(int call, int output, CheckResult& check) {
  const auto index = static_cast<std::size_t>(output);
  if (!is_floating(scalars_[index])) return;
  const Tensors* answer = exact(call);
  if (answer == nullptr || (*answer)[index].scalar_type() != at::kDouble) return;
  const auto of = static_cast<std::size_t>(call);
  const OracleError candidate = oracle_error_of(received_[of][index], (*answer)[index], scalars_[index]);
  const OracleError reference = oracle_error_of(expected_[of][index], (*answer)[index], scalars_[index]);
  check.oracle_ran = true;
  check.oracle_accepts = as_accurate(candidate, reference);
  const auto finite = [](double value) { return std::isfinite(value) ? std::optional<double>(value) : std::nullopt; };
  check.candidate_error = finite(candidate.max);
  check.reference_error = finite(reference.max);
}

Result<CheckResult> TorchReference::compare(int call, int output, bool oracle) {
  return guarded([&]() -> Result<CheckResult> {
    const auto index = static_cast<std::size_t>(output);
    const at::Tensor& actual = received_[static_cast<std::size_t>(call)][index];
    const Comparison found = compare_tensors(actual, expected_[static_cast<std::size_t>(call)][index], scalars_[index],
                                             tolerances_[index], words_[index]);
    CheckResult check;
    check.benchmark_accepts = found.accepted();
    check.elements = found.elements;
    check.mismatched = found.mismatched;
    check.nan_count = found.nan_count;
    check.max_abs_error = found.max_abs_error;
    check.max_rel_error = found.max_rel_error;
    if (oracle || !found.accepted()) ask_oracle(call, output, check);
    if (found.accepted() || (check.oracle_ran && check.oracle_accepts)) return check;
    check.unwritten = found.holds_poison(scalars_[index]);
    check.stale = !check.unwritten && is_stale(actual, call, output);
    return check;
  });
}

Result<RecheckResult> TorchReference::compare_recheck(int call, int output) {
  return guarded([&]() -> Result<RecheckResult> {
    const auto of = static_cast<std::size_t>(call), index = static_cast<std::size_t>(output);
    RecheckResult result;
    result.same = same_bits(rechecked_[index], received_[of][index]);
    result.right = tensors_accepted(rechecked_[index], expected_[of][index], scalars_[index], tolerances_[index]);
    return result;
  });
}

}  // namespace kernel_audit::eval
