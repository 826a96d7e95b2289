// What only C++ can do: catching what C++ code throws. `exception.rs` tells the story and is the only caller.
//
// An exception is handed to Rust as a std::exception_ptr, a pointer that may be moved by copying it, which is given back
// to one of the functions that take it over. So nothing here takes memory.

#include <exception>
#include <new>
#include <utility>

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

static_assert(sizeof(std::exception_ptr) == sizeof(void*), "an exception_ptr is a pointer");

// Runs `call`. Answers whether it threw, and writes what. Unwinding that is not C++'s own goes on.
bool tvm_ffi_exception_catch(void (*call)(void*), void* data, void* thrown) {
  try {
    call(data);
    return false;
  } catch (...) {
    std::exception_ptr exception = std::current_exception();
    if (!exception) throw;
    new (thrown) std::exception_ptr(std::move(exception));
    return true;
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

void tvm_ffi_exception_release(std::exception_ptr* thrown) { thrown->~exception_ptr(); }

// Takes the exception over and throws it again.
[[noreturn]] void tvm_ffi_exception_rethrow(std::exception_ptr* thrown) {
  std::exception_ptr exception = std::move(*thrown);
  thrown->~exception_ptr();
  std::rethrow_exception(std::move(exception));
}

}  // extern "C"
