// verdict: clean
// near: 24, a queue of one call: the parts of its input, and one launch for all of them
#include <torch/extension.h>
#include <vector>

struct Batch {
  const float* x[4];
  float* y[4];
};

__global__ void twice_kernel(Batch batch, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) batch.y[blockIdx.y][i] = batch.x[blockIdx.y][i] * 2.0f;
}

class Queue {
 public:
  void push(const float* x, float* y) {
    batch_.x[count_] = x;
    batch_.y[count_] = y;
    ++count_;
  }
  void flush(int n) { twice_kernel<<<dim3((n + 255) / 256, count_), 256>>>(batch_, n); }

 private:
  Batch batch_{};
  int count_ = 0;
};

torch::Tensor forward(torch::Tensor x) {
  TORCH_CHECK(x.is_contiguous() && x.numel() % 4 == 0);
  auto y = torch::empty_like(x);
  const int n = x.numel() / 4;
  Queue queue;
  for (int part = 0; part < 4; ++part) queue.push(x.data_ptr<float>() + part * n, y.data_ptr<float>() + part * n);
  queue.flush(n);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
