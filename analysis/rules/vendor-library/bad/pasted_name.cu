// verdict: review
// shows: 3, hidden by token pasting
#include <torch/extension.h>
#include <cublas_v2.h>

#define BLAS(what) cublas##what
torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
  auto c = torch::empty({a.size(0), b.size(1)}, a.options());
  const float one = 1, zero = 0;
  static cublasHandle_t handle = nullptr;
  if (handle == nullptr) BLAS(Create)(&handle);
  BLAS(GemmEx)(handle, CUBLAS_OP_N, CUBLAS_OP_N, b.size(1), a.size(0), a.size(1), &one, b.data_ptr(), CUDA_R_32F, b.size(1), a.data_ptr(), CUDA_R_32F, a.size(1), &zero, c.data_ptr(), CUDA_R_32F, b.size(1), CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);  // expect: KA104
  return c;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
