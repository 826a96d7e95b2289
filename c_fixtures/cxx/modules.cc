/*
 * A client with modules of its own class: the library calls their methods, and they call the library: modules LIBRARY.so
 *
 * Prints the first expectation that is not met, and exits with 1.
 */
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <typeinfo>

#include "client.h"

using namespace tvm::ffi;

#define EXPECT(condition)                                            \
  do {                                                               \
    if (!(condition)) {                                              \
      printf("line %d: expected %s\n", __LINE__, #condition);        \
      exit(1);                                                       \
    }                                                                \
  } while (0)

/** A failure that is no Error. */
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

static int alive = 0;

static int Answer(void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
  result->type_index = kTVMFFIInt;
  result->v_int64 = 42;
  return 0;
}

static TVMFFIObjectHandle NewFunction() {
  TVMFFIObjectHandle function = nullptr;
  if (TVMFFIFunctionCreate(nullptr, Answer, nullptr, &function) != 0) throw Error::Raised();
  return function;
}

/** A module that brings as little as it must. */
struct Plain : ModuleObj {
  const char* kind() const override { return "verify_plain"; }
  Optional<Function> GetFunction(const String&) override { return Optional<Function>(); }
};

/** A module that has one function, and fails in every way. */
struct Custom : ModuleObj {
  explicit Custom(const char* name) : name(name) { ++alive; }
  ~Custom() { --alive; }

  const char* kind() const override { return "verify_custom"; }
  int GetPropertyMask() const override { return 6; }
  Optional<Function> GetFunction(const String& asked) override {
    if (asked.text() == "error") throw Error("KeyError", "from a method");
    if (asked.text() == "failure") throw Failure("another failure");
    if (asked.text() == "number") throw 7;
    return asked.text() == name ? Optional<Function>(NewFunction()) : Optional<Function>();
  }
  Optional<String> GetFunctionDoc(const String& asked) override {
    return asked.text() == name ? Optional<String>(String("documentation of " + name)) : Optional<String>();
  }
  Optional<String> GetFunctionMetadata(const String& asked) override {
    return asked.text() == name ? Optional<String>(String("{}")) : Optional<String>();
  }
  void WriteToFile(const String& file, const String& format) const override {
    if (format.text() != "o") throw Error("ValueError", "unknown format");
    written = file.text();
  }
  String InspectSource(const String& format) const override { return String(name + " as " + format.text()); }

  std::string name;
  static std::string written;
};
std::string Custom::written;

/** What a call throws: the kind and the text of an Error, the text of a Failure, or nothing. */
template <typename Body>
static std::string Thrown(Body body) {
  try {
    body();
  } catch (const Failure& failure) {
    return failure.what();
  } catch (const Error& error) {
    // Up to 0.1.12 the library's own class adds a backtrace to what it answers here.
    const std::exception& base = error;
    EXPECT(strstr(base.what(), error.message().c_str()) != nullptr);
    return error.kind() + ": " + error.message();
  } catch (int number) {
    return std::to_string(number);
  }
  return "";
}

static Any Name(const char* text) { return String(text); }
static Any Bool(bool value) { return Any::Of(value); }

static void TheLibraryCallsAModule() {
  Module module = Module::Make<Custom>("own");
  Any any = module.any();
  EXPECT(String::TextOf(CallGlobal("ffi.ModuleGetKind", {any})) == "verify_custom");
  EXPECT(CallGlobal("ffi.ModuleGetPropertyMask", {any}).get().v_int64 == 6);
  EXPECT(CallGlobal("ffi.ModuleImplementsFunction", {any, Name("own"), Bool(false)}).get().v_int64 == 1);
  EXPECT(CallGlobal("ffi.ModuleImplementsFunction", {any, Name("other"), Bool(true)}).get().v_int64 == 0);
  Any function = CallGlobal("ffi.ModuleGetFunction", {any, Name("own"), Bool(false)});
  EXPECT(Call(function.get().v_obj, {}).get().v_int64 == 42);
  EXPECT(CallGlobal("ffi.ModuleGetFunction", {any, Name("other"), Bool(true)}).get().type_index == kTVMFFINone);
  Any doc = CallGlobal("ffi.ModuleGetFunctionDoc", {any, Name("own"), Bool(false)});
  EXPECT(String::TextOf(doc) == "documentation of own");
  EXPECT(String::TextOf(CallGlobal("ffi.ModuleGetFunctionMetadata", {any, Name("own"), Bool(false)})) == "{}");
  EXPECT(String::TextOf(CallGlobal("ffi.ModuleInspectSource", {any, Name("ptx")})) == "own as ptx");
  CallGlobal("ffi.ModuleWriteToFile", {any, Name("a long file name"), Name("o")});
  EXPECT(Custom::written == "a long file name");
}

static void WhatAMethodThrowsIsRaised() {
  Any any = Module::Make<Custom>("own").any();
  auto get = [&](const char* name) { return Thrown([&] { CallGlobal("ffi.ModuleGetFunction", {any, Name(name), Bool(true)}); }); };
  EXPECT(get("error") == "KeyError: from a method");
  EXPECT(get("failure") == "InternalError: another failure");
  EXPECT(get("own") == "");
  auto write = [&] { CallGlobal("ffi.ModuleWriteToFile", {any, Name("file"), Name("c")}); };
  EXPECT(Thrown(write) == "ValueError: unknown format");
}

static void WhatAMethodThrowsGoesThroughFunctionsOfTheLibrary() {
  Module module = Module::Make<Plain>();
  module->ImportModule(Module::Make<Custom>("imported"));
  auto get = [&](const char* name) { return Thrown([&] { module->GetFunction(name, true); }); };
  EXPECT(get("error") == "KeyError: from a method");
  EXPECT(get("failure") == "another failure");
  EXPECT(get("number") == "7");
  EXPECT(Thrown([&] { module->ImplementsFunction("failure", true); }) == "another failure");
  EXPECT(Thrown([&] { module->ImplementsFunction("failure", false); }) == "");
}

static void ModulesImportEachOther() {
  Module root = Module::Make<Plain>(), middle = Module::Make<Plain>(), leaf = Module::Make<Custom>("leaf");
  CallGlobal("ffi.ModuleImportModule", {root.any(), middle.any()});
  middle->ImportModule(leaf);
  EXPECT(root->GetFunction("leaf", true).handle() != nullptr);
  EXPECT(root->GetFunction("leaf", false).handle() == nullptr);
  EXPECT(root->ImplementsFunction("leaf", true) && !root->ImplementsFunction("leaf", false));
  EXPECT(String::TextOf(root->GetFunctionDoc("leaf", true)) == "documentation of leaf");
  EXPECT(root->GetFunctionMetadata("leaf", false).get().type_index == kTVMFFINone);
  EXPECT(Thrown([&] { leaf->ImportModule(root); }) != "");
  EXPECT(Thrown([&] { CallGlobal("ffi.ModuleImportModule", {root.any(), root.any()}); }) != "");

  TVMFFIObjectHandle first = nullptr, second = nullptr;
  void* context = root.operator->();
  EXPECT(TVMFFIEnvModLookupFromImports(context, "leaf", &first) == 0);
  EXPECT(Call(first, {}).get().v_int64 == 42);
  root->ClearImports();
  EXPECT(root->GetFunction("leaf", true).handle() == nullptr);
  // Imports that were cleared are forgotten; the releases still answer what was looked up before.
  EXPECT(TVMFFIEnvModLookupFromImports(context, "leaf", &second) != 0 || first == second);
  EXPECT(TVMFFIEnvModLookupFromImports(context, "nothing", &second) != 0);
  EXPECT(Error::Raised().kind() == "RuntimeError");
}

static void AModuleOfTheLibraryIsCalledLikeAnyOther(const char* path) {
  Module module = Module::LoadFromFile(path);
  EXPECT(strcmp(module->kind(), "library") == 0);
  EXPECT(module->GetPropertyMask() == 3);
  EXPECT(module->ImplementsFunction("sum") && !module->ImplementsFunction("no such function"));
  Optional<Function> sum = module->GetFunction("sum");
  EXPECT(Call(sum.handle(), {Any::Of(40), Any::Of(2)}).get().v_int64 == 42);
  EXPECT(module->GetFunctionDoc("sum").get().type_index == kTVMFFINone);
  EXPECT(module->InspectSource("").text() == "");
  EXPECT(Thrown([&] { module->SaveToBytes(); }).substr(0, 14) == "RuntimeError: ");
  EXPECT(typeid(*module.operator->()) != typeid(ModuleObj));
  EXPECT(dynamic_cast<Custom*>(module.operator->()) == nullptr);
  Module imported = Module::Make<Custom>("imported");
  module->ImportModule(imported);
  EXPECT(module->GetFunction("imported", true).handle() != nullptr);
  module->ClearImports();
  EXPECT(module->GetFunction("imported", true).handle() == nullptr);
  EXPECT(Thrown([] { Module::LoadFromFile("no extension"); }).substr(0, 14) == "RuntimeError: ");
}

static int Stop(void*, const TVMFFIAny* args, int32_t num_args, TVMFFIAny*) {
  static int calls = 0;
  if (num_args != 2 || args[1].type_index != kTVMFFIOpaquePtr || ++calls != 2) return 0;
  TVMFFIErrorSetRaisedFromCStr("IndexError", "at the second symbol");
  return -1;
}

static void ContextSymbolsAreVisited() {
  EXPECT(TVMFFIEnvModRegisterContextSymbol("verify_cxx_one", &alive) == 0);
  EXPECT(TVMFFIEnvModRegisterContextSymbol("verify_cxx_two", &alive) == 0);
  TVMFFIObjectHandle function = nullptr;
  EXPECT(TVMFFIFunctionCreate(nullptr, Stop, nullptr, &function) == 0);
  TypedFunction<void(String, void*)> callback(function);
  EXPECT(Thrown([&] { Module::VisitContextSymbols(callback); }) == "IndexError: at the second symbol");
}

int main(int, char** arguments) {
  TheLibraryCallsAModule();
  WhatAMethodThrowsIsRaised();
  WhatAMethodThrowsGoesThroughFunctionsOfTheLibrary();
  ModulesImportEachOther();
  AModuleOfTheLibraryIsCalledLikeAnyOther(arguments[1]);
  ContextSymbolsAreVisited();
  EXPECT(alive == 0);
  return 0;
}
