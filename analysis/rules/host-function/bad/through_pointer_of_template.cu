// verdict: review
// shows: 33, hidden by a template
#include <torch/extension.h>
#include <memory>

template <class Rule>
struct Finish {
  torch::Tensor from, to;
  static void run(void* given) {
    std::unique_ptr<Finish> self(static_cast<Finish*>(given));
    const float* a = self->from.data_ptr<float>();
    self->to.data_ptr<float>()[0] = Rule::of(a[0]);
  }
};
struct Twice {
  static float of(float v) { return 2.0f * v; }
};

__global__ void twice_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * 2.0f;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  auto* finish = new Finish<Twice>{torch::empty({1}), torch::empty({1})};
  cudaLaunchHostFunc(0, &Finish<Twice>::run, finish);  // expect: KA322
  twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
