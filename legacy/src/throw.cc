// What only C++ can do: an error leaves as an exception.
#include <stdexcept>

extern "C" [[noreturn]] void tvm_runtime_throw(const char* text) { throw std::runtime_error(text); }
