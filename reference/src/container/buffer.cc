// The memory of containers, from and to C++'s own operators. `buffer.rs` says why and is the only caller.

#include <cstddef>
#include <new>

extern "C" {

void* tvm_ffi_buffer_new(std::size_t bytes) { return ::operator new(bytes, std::nothrow); }

void tvm_ffi_buffer_delete(void* data) { ::operator delete(data); }

}  // extern "C"
