// verdict: cheat
// shows: 20, hidden by a class template
#include <torch/extension.h>
#include <c10/util/intrusive_ptr.h>
#include <mutex>
#include <optional>

__global__ void exp_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = expf(x[i]);
}

template <typename Kind>
class Shelf {
  std::mutex lock_;
  std::optional<at::Tensor> held_;
  c10::weak_intrusive_ptr<c10::TensorImpl> owner_{c10::intrusive_ptr<c10::TensorImpl>()};
  uint32_t seen_ = 0;

 public:
  static Shelf& only() {
    static Shelf shelf;
    return shelf;
  }
  template <typename Make>
  at::Tensor get(const at::Tensor& key, Make&& make) {
    std::lock_guard<std::mutex> guard(lock_);
    auto alive = owner_.lock();
    if (alive.get() != key.unsafeGetTensorImpl() || seen_ != key._version() || !held_) {
      held_ = at::empty_like(key);
      make(key, *held_);
      owner_ = c10::weak_intrusive_ptr<c10::TensorImpl>(key.getIntrusivePtr());
      seen_ = key._version();
    }
    return held_->view(held_->sizes());
  }
};
struct Exp {};

torch::Tensor forward(torch::Tensor x) {
  return Shelf<Exp>::only().get(x, [](const at::Tensor& from, at::Tensor& to) {  // expect: KA201
    exp_kernel<<<from.numel() / 256 + 1, 256>>>(from.data_ptr<float>(), to.data_ptr<float>(), from.numel());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
