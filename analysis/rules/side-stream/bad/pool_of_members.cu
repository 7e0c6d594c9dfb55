// verdict: cheat
// shows: 27, hidden by an array of a class that a loop fills
#include <torch/extension.h>

class Lanes {
 public:
  static Lanes& get() {
    static Lanes lanes;
    return lanes;
  }
  cudaStream_t next() { return all_[turn_++ % 3]; }

 private:
  Lanes() {
    for (auto& each : all_) cudaStreamCreateWithFlags(&each, cudaStreamNonBlocking);
  }
  std::array<cudaStream_t, 3> all_;
  unsigned turn_ = 0;
};

__global__ void sign_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = copysignf(1.0f, x[i]);
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  sign_kernel<<<(x.numel() + 255) / 256, 256, 0, Lanes::get().next()>>>(x.data_ptr<float>(), y.data_ptr<float>(),  // expect: KA301
                                                                  x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
