// verdict: cheat
// shows: 24, two queues of an object that lasts, filled call by call
#include <torch/extension.h>
#include <vector>

struct Batch {
  const float* x[16];
  float* y[16];
};

__global__ void twice_kernel(Batch batch, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) batch.y[blockIdx.y][i] = batch.x[blockIdx.y][i] * 2.0f;
}

class Queue {
 public:
  void push(const torch::Tensor& x, const torch::Tensor& y) {
    inputs_.push_back(x);  // expect: KA213
    outputs_.push_back(y);
    if (++seen_ <= 4 || inputs_.size() == 15) flush();
  }

 private:
  void flush() {
    Batch batch{};
    for (size_t i = 0; i < inputs_.size(); ++i) {
      batch.x[i] = inputs_[i].data_ptr<float>();
      batch.y[i] = outputs_[i].data_ptr<float>();
    }
    const int n = inputs_[0].numel();
    twice_kernel<<<dim3((n + 255) / 256, inputs_.size()), 256>>>(batch, n);
    inputs_.clear();
    outputs_.clear();
  }
  std::vector<torch::Tensor> inputs_, outputs_;
  int seen_ = 0;
};

torch::Tensor forward(torch::Tensor x) {
  static Queue queue;
  auto y = torch::empty_like(x);  // expect: KA531
  queue.push(x, y);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
