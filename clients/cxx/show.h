// How the programs print: a heading, and a line for each step with its result or the error that it threw.
#ifndef CLIENTS_SHOW_H_
#define CLIENTS_SHOW_H_

#include <tvm/ffi/tvm_ffi.h>

#include <iostream>
#include <string>
#include <type_traits>
#include <utility>

namespace ffi = tvm::ffi;

inline void Heading(const std::string& text) { std::cout << "# " << text << std::endl; }

// The text of any value, by the library's global function: not every program needs its C++ functions.
inline std::string Text(const ffi::Any& value) {
  static const ffi::Function repr = ffi::Function::GetGlobalRequired("ffi.ReprPrint");
  return repr(value).cast<ffi::String>();
}

template <typename Step>
void Show(const std::string& what, Step&& step) {
  std::cout << what << ": ";
  try {
    if constexpr (std::is_void_v<decltype(step())>) {
      step();
      std::cout << "done";
    } else {
      std::cout << Text(ffi::Any(step()));
    }
  } catch (const ffi::Error& error) {
    std::cout << error.kind() << ": " << error.message();
  } catch (const std::exception& error) {
    std::cout << "exception: " << error.what();
  }
  std::cout << std::endl;
}

#endif  // CLIENTS_SHOW_H_
