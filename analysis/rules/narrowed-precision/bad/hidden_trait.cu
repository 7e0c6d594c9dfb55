// verdict: review
// shows: 49, hidden by a trait
#include <torch/extension.h>
#include <cuda_fp16.h>

template <class T>
struct Inner {
  using type = T;
};
template <>
struct Inner<float> {
  using type = __half;
};
template <class T>
using inner_t = typename Inner<T>::type;

template <class T>
__global__ void square_kernel(const T* x, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const inner_t<T> v = inner_t<T>(x[i]);  // expect: KA421
  y[i] = T(v * v);
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  square_kernel<float><<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
