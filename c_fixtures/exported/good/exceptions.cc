// story: throws and catches within, as compiled C++ does, and takes tensors of any layout
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernel.h"

namespace {

struct Tensor {
  const DLTensor* tensor;

  explicit Tensor(const TVMFFIAny& value) {
    if (value.type_index == kTVMFFITensor) {
      tensor = reinterpret_cast<const DLTensor*>(static_cast<const char*>(value.v_ptr) + sizeof(TVMFFIObject));
    } else if (value.type_index == kTVMFFIDLTensorPtr && value.v_ptr != nullptr) {
      tensor = static_cast<const DLTensor*>(value.v_ptr);
    } else {
      throw std::invalid_argument("expected a tensor, got type " + std::to_string(value.type_index));
    }
    if (tensor->device.device_type != kDLCPU) throw std::invalid_argument("expected a tensor of the host");
    if (tensor->dtype.code != kDLFloat || tensor->dtype.bits != 32 || tensor->dtype.lanes != 1) {
      throw std::invalid_argument("expected float32");
    }
  }

  /* Calls `visit` with each element. */
  template <typename Visit>
  void each(const Visit& visit) const {
    std::vector<int64_t> index(tensor->ndim, 0);
    for (int i = 0; i < tensor->ndim; ++i) {
      if (tensor->shape[i] == 0) return;
    }
    char* data = static_cast<char*>(tensor->data) + tensor->byte_offset;
    for (;;) {
      int64_t at = 0, step = 1;
      for (int i = tensor->ndim; i-- > 0;) {
        at += index[i] * (tensor->strides == nullptr ? step : tensor->strides[i]);
        step *= tensor->shape[i];
      }
      visit(reinterpret_cast<float*>(data)[at]);
      int i = tensor->ndim;
      while (i-- > 0 && ++index[i] == tensor->shape[i]) index[i] = 0;
      if (i < 0) return;
    }
  }
};

template <typename Body>
int safely(const Body& body) {
  try {
    body();
    return 0;
  } catch (const std::exception& error) {
    TVMFFIErrorSetRaisedFromCStr("ValueError", error.what());
    return -1;
  }
}

}  // namespace

extern "C" KERNEL(negate) {
  return safely([&] {
    if (num_args != 1) throw std::invalid_argument("expected one argument");
    Tensor(args[0]).each([](float& element) { element = -element; });
  });
}

extern "C" KERNEL(sum) {
  return safely([&] {
    double sum = 0;
    for (int32_t i = 0; i < num_args; ++i) Tensor(args[i]).each([&](float& element) { sum += element; });
    *result = TVMFFIAny{};
    result->type_index = kTVMFFIFloat;
    result->v_float64 = sum;
  });
}
