// What only C++ can do: catching what C++ code throws. `exception.rs` tells the story and is the only caller.
//
// An exception is handed to Rust as the address of a std::exception_ptr, which is given back to one of the functions
// that take it over.

#include <exception>

namespace tvm::ffi {

// The exception that clients throw and catch: the address of an Error object behind the std::exception. The destructor is
// not defined here, so that the compiler leaves virtual table and type information to those who define it, in Rust.
class ObjectRef {
 public:
  void* object;
};

class Error : public ObjectRef, public std::exception {
 public:
  ~Error() override;
  const char* what() const noexcept override;
};

}  // namespace tvm::ffi

extern "C" {

// Runs `call`. Answers NULL, or what it threw. Unwinding that is not C++'s own goes on.
std::exception_ptr* tvm_ffi_exception_catch(void (*call)(void*), void* data) {
  try {
    call(data);
    return nullptr;
  } catch (...) {
    std::exception_ptr thrown = std::current_exception();
    if (!thrown) throw;
    return new std::exception_ptr(thrown);
  }
}

// Tells what the exception is: sets `error` to the Error object in it, or else `what` to its message, or else neither.
// Both belong to the exception.
void tvm_ffi_exception_describe(const std::exception_ptr* thrown, void** error, const char** what) {
  try {
    std::rethrow_exception(*thrown);
  } catch (const tvm::ffi::Error& exception) {
    *error = exception.object;
  } catch (const std::exception& exception) {
    *what = exception.what();
  } catch (...) {
  }
}

void tvm_ffi_exception_release(std::exception_ptr* thrown) { delete thrown; }

// Takes the exception over and throws it again.
[[noreturn]] void tvm_ffi_exception_rethrow(std::exception_ptr* thrown) {
  std::exception_ptr exception = *thrown;
  delete thrown;
  std::rethrow_exception(exception);
}

}  // extern "C"
