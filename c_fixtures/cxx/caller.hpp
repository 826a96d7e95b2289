/*
 * What a caller in C++ is written with, beside what callers in C have: exceptions of the library and of the client.
 */
#ifndef TVM_FFI_FIXTURES_CXX_CALLER_H_
#define TVM_FFI_FIXTURES_CXX_CALLER_H_

#include <dlfcn.h>

#include <stdexcept>
#include <string>

#include "../callers/caller.h"
#include "client.h"

/** A failure of a client that is no Error. */
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/** What a body throws: the kind and the message of an Error, the text of a Failure, a number, or nothing. */
template <typename Body>
static std::string Thrown(Body body) {
  try {
    body();
  } catch (const Failure& failure) {
    return failure.what();
  } catch (const tvm::ffi::Error& error) {
    return error.kind() + ": " + error.message();
  } catch (const std::exception& other) {
    return std::string("an exception that is no Error: ") + other.what();
  } catch (int number) {
    return std::to_string(number);
  }
  return "nothing";
}

/** The kind of the Error that a body throws. */
template <typename Body>
static std::string KindThrown(Body body) {
  std::string thrown = Thrown(body);
  return thrown.substr(0, thrown.find(':'));
}

/** Expects a C++ function to be there: a client that links to it cannot be loaded otherwise. */
#define NEEDS(t, symbol) CHECK_NOT_NULL(t, "the exported symbol " symbol, dlsym(RTLD_DEFAULT, symbol))

/** Expects a text. */
#define CHECK_TEXT(t, what, got, expected)                                        \
  do {                                                                            \
    const std::string text_got = (got), text_expected = (expected);               \
    if (text_got != text_expected) {                                              \
      t->unmet(t->context, what, text_expected.c_str(), text_got.c_str());        \
      return 1;                                                                   \
    }                                                                             \
  } while (0)

/** Expects a condition; what it is about is its own text. */
#define CHECK_TRUE(t, condition)                              \
  do {                                                        \
    t->enter(t->context, #condition);                        \
    bool truth = (condition);                                 \
    t->leave(t->context);                                     \
    if (!truth) {                                             \
      t->unmet(t->context, #condition, "true", "false");      \
      return 1;                                               \
    }                                                         \
  } while (0)

/** Runs what comes next with every exception told as a failure, since no exception may leave a caller. */
#define CXX_CALLER(name)                                                                    \
  static int body_##name(struct caller* t);                                                \
  CALLER_LINKAGE TVM_FFI_DLL_EXPORT int caller_##name(struct caller* t);                    \
  int caller_##name(struct caller* t) {                                                     \
    int status = 1;                                                                         \
    std::string thrown = Thrown([&] { status = body_##name(t); });                         \
    if (thrown != "nothing") t->unmet(t->context, "thrown by the library", "nothing", thrown.c_str()); \
    return status;                                                                          \
  }                                                                                         \
  static int body_##name(struct caller* t)

#endif
