// Functions as C++ exports them with the headers of a release, which do the looking.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

namespace ffi = tvm::ffi;

void AddOne(ffi::TensorView x, ffi::TensorView y) {
  const DLDataType float32{kDLFloat, 32, 1};
  for (const ffi::TensorView& tensor : {x, y}) {
    TVM_FFI_ICHECK(tensor.ndim() == 1) << "expected one dimension";
    TVM_FFI_ICHECK(tensor.dtype() == float32) << "expected float32";
    TVM_FFI_ICHECK(tensor.IsContiguous()) << "expected no gaps";
    TVM_FFI_ICHECK(tensor.device().device_type == kDLCPU) << "expected a tensor of the host";
  }
  TVM_FFI_ICHECK(x.shape()[0] == y.shape()[0]) << "expected as many elements in both";
  for (int64_t i = 0; i < x.shape()[0]; ++i) {
    static_cast<float*>(y.data_ptr())[i] = static_cast<float*>(x.data_ptr())[i] + 1;
  }
}

ffi::String Greet(ffi::String name, int64_t times) {
  std::string text = "hello";
  for (int64_t i = 0; i < times; ++i) text += " " + std::string(name);
  return text;
}

ffi::Array<int64_t> Twice(ffi::Array<int64_t> items) {
  ffi::Array<int64_t> twice;
  for (int64_t item : items) twice.push_back(item * 2);
  return twice;
}

ffi::Any Same(ffi::Any value) { return value; }

ffi::Optional<ffi::Tensor> Maybe(ffi::Optional<ffi::Tensor> tensor) { return tensor; }

int64_t Read(void* address) { return *static_cast<int64_t*>(address); }

int64_t Dimensions(ffi::Tensor tensor) { return tensor.ndim(); }

ffi::Any Call(ffi::Function function, ffi::Any value) { return function(value); }

ffi::Bytes Bytes(ffi::Bytes bytes) { return bytes; }

DLDataType DType(DLDataType dtype, DLDevice) { return dtype; }

TVM_FFI_DLL_EXPORT_TYPED_FUNC(add_one, AddOne);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(greet, Greet);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(twice, Twice);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(same, Same);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(maybe, Maybe);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(read, Read);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(dimensions, Dimensions);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(call, Call);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bytes, Bytes);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(dtype, DType);
