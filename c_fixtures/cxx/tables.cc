/* The library's virtual tables, called by their places: what a class has that overrides nothing, and exceptions that are deleted. */
#include "outcomes.hpp"

#include <new>

using namespace tvm::ffi;

namespace {

/** What lies in a place of a virtual table, behind the offset to the top and the type information. */
template <typename Method>
Method* MethodAt(const char* table, int place) {
  return reinterpret_cast<Method*>(static_cast<void**>(dlsym(RTLD_DEFAULT, table))[2 + place]);
}

/** A module that overrides what it has to. */
struct Least : ModuleObj {
  const char* kind() const override { return "verify_least"; }
  Optional<Function> GetFunction(const String&) override { return Optional<Function>(); }
};

/** An exception as it lies in memory. */
struct Exception {
  const void* methods;
  TVMFFIObjectHandle error;
};

}  // namespace

/**
 * The places of ModuleObj's virtual table for methods that a class need not override answer what the header says: no properties, no
 * documentation and metadata of a function, an empty source, and that nothing can be written.
 */
CXX_CALLER(module_methods_that_no_class_overrides) {
  CLAUSE(t, "CXX-0024");
  static const char table[] = "_ZTVN3tvm3ffi9ModuleObjE";
  NEEDS(t, "_ZTVN3tvm3ffi9ModuleObjE");
  Module module = Module::Make<Least>();
  ModuleObj* least = module.operator->();
  const String name("a function"), other("a function with a name of some length");
  CHECK_EQ_INT(t, "properties", MethodAt<int(const ModuleObj*)>(table, 1)(least), 0);
  for (const String& asked : {name, other}) {
    using Text = Optional<String>(ModuleObj*, const String&);
    CHECK_EQ_INT(t, "documentation", MethodAt<Text>(table, 4)(least, asked).get().type_index, kTVMFFINone);
    CHECK_EQ_INT(t, "metadata", MethodAt<Text>(table, 5)(least, asked).get().type_index, kTVMFFINone);
    CHECK_TEXT(t, "source", MethodAt<String(const ModuleObj*, const String&)>(table, 9)(least, asked).text(), "");
    auto write = [&] { MethodAt<void(const ModuleObj*, const String&, const String&)>(table, 6)(least, asked, asked); };
    CHECK_TEXT(t, "kind thrown by WriteToFile", KindThrown(write), "RuntimeError");
  }
  CHECK_EQ_INT(t, "counts of the module", counts_of(module.handle()), (uint64_t{1} << 32) | 1);
  return 0;
}

/** The destructors in the virtual table of Error give up the reference that the exception holds, and the deleting one its memory, too. */
CXX_CALLER(deleted_exceptions) {
  CLAUSE(t, "CXX-0025");
  static const char table[] = "_ZTVN3tvm3ffi5ErrorE";
  NEEDS(t, "_ZTVN3tvm3ffi5ErrorE");
  Error held("ValueError", "a message");
  const void* methods = static_cast<void**>(dlsym(RTLD_DEFAULT, table)) + 2;
  for (int round = 0; round < 3; ++round) {
    TVMFFIObjectIncRef(held.handle());
    TVMFFIObjectIncRef(held.handle());
    Exception whole = {methods, held.handle()}, *made = new Exception(whole);
    CHECK_TEXT(t, "what()", MethodAt<const char*(const Exception*)>(table, 2)(made), "a message");
    MethodAt<void(Exception*)>(table, 0)(&whole);
    CHECK_EQ_INT(t, "counts after the destructor", counts_of(held.handle()), (uint64_t{1} << 32) | 2);
    MethodAt<void(Exception*)>(table, 1)(made);
    CHECK_EQ_INT(t, "counts after the deleting destructor", counts_of(held.handle()), (uint64_t{1} << 32) | 1);
  }
  return 0;
}
