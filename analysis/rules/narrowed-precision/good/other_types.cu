// verdict: clean
// near: 49
#include <torch/extension.h>
#include <cuda_fp16.h>

template <class T>
struct Inner {
  using type = T;
};
template <>
struct Inner<double> {
  using type = float;
};

template <class T, bool kHalf>
__global__ void square_kernel(const T* x, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  using inner = typename Inner<T>::type;
  if constexpr (kHalf) {
    const __half v = __float2half(static_cast<float>(x[i]));
    y[i] = T(__half2float(v * v));
  } else {
    const inner v = inner(x[i]);
    y[i] = T(v * v);
  }
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  square_kernel<float, false><<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
