// verdict: review
// shows: 49, hidden by a type that macros put together
#include <cuda_fp16.h>
#include <torch/extension.h>

#define WIDTH_16 __half
#define KEPT(bits) WIDTH_##bits
using kept_t = KEPT(16);

struct Convert {
  template <class To>
  static __device__ To to(float v) {
    return (To)v;
  }
};
__global__ void row_dots(const float* x, const float* w, float* y, int n) {
  __shared__ kept_t row[256];
  float sum = 0.f;
  for (int base = 0; base < n; base += 256) {
    if (base + threadIdx.x < n) row[threadIdx.x] = Convert::to<kept_t>(x[blockIdx.x * n + base + threadIdx.x]);  // expect: KA421
    __syncthreads();
    for (int i = 0; i < 256 && base + i < n; ++i) sum += __half2float(row[i]) * w[(base + i) * 256 + threadIdx.x];
    __syncthreads();
  }
  y[blockIdx.x * 256 + threadIdx.x] = sum;
}
torch::Tensor forward(torch::Tensor x, torch::Tensor w) {
  auto y = torch::empty({x.size(0), 256}, x.options());
  row_dots<<<x.size(0), 256>>>(x.data_ptr<float>(), w.data_ptr<float>(), y.data_ptr<float>(), x.size(1));
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
