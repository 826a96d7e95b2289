/* Modules of a class that a C++ client derives from the library's: the library calls their methods, and they call it. */
#include "samples.hpp"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <functional>
#include <initializer_list>
#include <string>
#include <typeinfo>
#include <vector>

using namespace tvm::ffi;

/* This library is a module, too: it loads itself, and is told its context. */
extern "C" TVM_FFI_DLL_EXPORT void* __tvm_ffi__library_ctx;
void* __tvm_ffi__library_ctx = nullptr;

namespace {

int alive = 0;
/** The functions that were made, and whether each has ended. */
bool ended[64];
int made = 0;

void End(void* self) { *static_cast<bool*>(self) = true; }

/** Answers the number of the function. */
int Answer(void* self, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
  result->type_index = kTVMFFIInt;
  result->v_int64 = static_cast<bool*>(self) - ended;
  return 0;
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
  Optional<Function> GetFunction(const String& asked) override {
    if (asked.text() == "error") throw Error("KeyError", "from a method");
    if (asked.text() == "failure") throw Failure("another failure");
    if (asked.text() == "number") throw 7;
    TVMFFIObjectHandle function = nullptr;
    if (asked.text() != name) return Optional<Function>();
    if (made == sizeof ended || TVMFFIFunctionCreate(&ended[made], Answer, End, &function) != 0) throw Error::Raised();
    ++made;
    return Optional<Function>(function);
  }
  Optional<String> GetFunctionDoc(const String& asked) override {
    return asked.text() == name ? Optional<String>(String("documentation of " + name)) : Optional<String>();
  }
  Optional<String> GetFunctionMetadata(const String& asked) override {
    return asked.text() == name ? Optional<String>(String("{}")) : Optional<String>();
  }

  std::string name;
};

/** A module that has one function, which does nothing. */
struct Named : ModuleObj {
  explicit Named(const std::string& name) : name(name) {}

  const char* kind() const override { return "verify_named"; }
  Optional<Function> GetFunction(const String& asked) override {
    TVMFFIObjectHandle function = nullptr;
    auto nothing = [](void*, const TVMFFIAny*, int32_t, TVMFFIAny*) { return 0; };
    if (asked.text() != name) return Optional<Function>();
    if (TVMFFIFunctionCreate(nullptr, nothing, nullptr, &function) != 0) throw Error::Raised();
    return Optional<Function>(function);
  }

  std::string name;
};

uint64_t CountsOf(const Module& module) { return counts_of(module.handle()); }

}  // namespace

/** Gives up what a module in memory of the client's owns, and leaves the memory. */
template <typename Class>
static void EndInPlace(void* header, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) static_cast<Class*>(reinterpret_cast<Object*>(header))->~Class();
}

/** A module where another lay, which has ended, is asked for the functions that it has itself, and for its kind. */
CXX_CALLER(modules_in_one_place) {
  alignas(Named) static unsigned char place[sizeof(Named) + sizeof(Plain)];
  std::string names[] = {"one", "two", "", "two", "one", "", "one", "one", "two"};
  for (const std::string& name : names) {
    ModuleObj* module = nullptr;
    if (name.empty()) {
      module = new (place) Plain();
      module->header.deleter = &EndInPlace<Plain>;
    } else {
      module = new (place) Named(name);
      module->header.deleter = &EndInPlace<Named>;
    }
    module->header.combined_ref_count = (uint64_t{1} << 32) | 1;
    module->header.type_index = kTVMFFIModule;
    Any held = Any::Owning(&module->header);
    for (const char* asked : {"one", "two", "one"}) {
      CLAUSE(t, "MOD-0064");
      Any found = CallGlobal("ffi.ModuleGetFunction", {held, Text(asked), Any::Of(false)});
      CHECK_EQ_INT(t, asked, found.get().type_index, name == asked ? kTVMFFIFunction : kTVMFFINone);
      Any has = CallGlobal("ffi.ModuleImplementsFunction", {held, Text(asked), Any::Of(false)});
      CHECK_EQ_INT(t, asked, has.get().v_int64, name == asked);
    }
    CLAUSE(t, "MOD-0063");
    CHECK_TEXT(t, "kind", String::TextOf(CallGlobal("ffi.ModuleGetKind", {held})), module->kind());
  }
  return 0;
}

/** Module::LoadFromFile throws an Error for a file that cannot be loaded, of the kind that the global function raises, be the file there or not. */
CXX_CALLER(module_load_from_file) {
  CLAUSE(t, "CXX-0013");
  NEEDS(t, "_ZN3tvm3ffi6Module12LoadFromFileERKNS0_6StringE");
  for (const char* path : {"no extension", "/no/such/folder/library.so", ""}) {
    std::string expected = KindThrown([&] { CallGlobal("ffi.ModuleLoadFromFile", {String(path)}); });
    CHECK_TRUE(t, expected != "nothing");
    CHECK_TEXT(t, path, KindThrown([&] { Module::LoadFromFile(path); }), expected);
  }
  for (const char* ending : {".so", ".unknown", ".tar.so", ""}) {
    for (const char* content : {"", "no library at all\n", "\177ELF"}) {
      const char* folder = getenv("TMPDIR");
      std::string path = std::string(folder ? folder : "/tmp") + "/verify_no_library_XXXXXX" + ending;
      int file = mkstemps(&path[0], static_cast<int>(strlen(ending)));
      CHECK_TRUE(t, file >= 0 && write(file, content, strlen(content)) == static_cast<ssize_t>(strlen(content)));
      close(file);
      std::string by_global = KindThrown([&] { CallGlobal("ffi.ModuleLoadFromFile", {String(path.c_str())}); });
      std::string by_member = KindThrown([&] { Module::LoadFromFile(path.c_str()); });
      unlink(path.c_str());
      CHECK_TRUE(t, by_global != "nothing");
      CHECK_TEXT(t, ending, by_member, by_global);
    }
  }
  return 0;
}

/**
 * A class that is derived from ModuleObj imports modules with what it inherits, and finds their functions,
 * documentation and metadata.
 */
CXX_CALLER(module_imports) {
  CLAUSE(t, "CXX-0014");
  Module root = Module::Make<Plain>(), middle = Module::Make<Plain>(), leaf = Module::Make<Custom>("leaf");
  CallGlobal("ffi.ModuleImportModule", {root.any(), middle.any()});
  CALL(t, middle->ImportModule(leaf));
  CHECK_EQ_INT(t, "counts of an import", CountsOf(leaf), (uint64_t{1} << 32) | 2);
  CHECK_NOT_NULL(t, "function of an import's import", root->GetFunction("leaf", true).handle());
  CHECK_EQ_PTR(t, "function without imports", root->GetFunction("leaf", false).handle(), NULL);
  CHECK_EQ_PTR(t, "function that nobody has", root->GetFunction("other", true).handle(), NULL);
  CHECK_TRUE(t, root->ImplementsFunction("leaf", true));
  CHECK_TRUE(t, !root->ImplementsFunction("leaf", false));
  CHECK_TRUE(t, !root->ImplementsFunction("other", true));
  CHECK_TEXT(t, "documentation", String::TextOf(root->GetFunctionDoc("leaf", true)), "documentation of leaf");
  CHECK_EQ_INT(t, "documentation without imports", root->GetFunctionDoc("leaf", false).get().type_index, kTVMFFINone);
  CHECK_TEXT(t, "metadata", String::TextOf(root->GetFunctionMetadata("leaf", true)), "{}");
  CHECK_EQ_INT(t, "metadata without imports", root->GetFunctionMetadata("leaf", false).get().type_index, kTVMFFINone);
  CALL(t, middle->ClearImports());
  CHECK_EQ_PTR(t, "function of a cleared import", root->GetFunction("leaf", true).handle(), NULL);
  CHECK_EQ_INT(t, "counts of a cleared import", CountsOf(leaf), (uint64_t{1} << 32) | 1);
  return 0;
}

/** What a library has looked up from what it imports can be called when C++ has cleared its imports, however often it does so. */
CXX_CALLER(module_imports_cleared_after_lookup) {
  Dl_info info;
  CHECK_TRUE(t, dladdr(&__tvm_ffi__library_ctx, &info) != 0);
  Any loaded = CallGlobal("ffi.ModuleLoadFromFile", {String(info.dli_fname)});
  TVMFFIObjectIncRef(loaded.get().v_obj);
  Module library(loaded.get().v_obj);
  CLAUSE(t, "MOD-0046");
  struct Found {
    TVMFFIObjectHandle function;
    int64_t number;
  };
  std::vector<Found> all;
  for (int round = 0; round < 6; ++round) {
    /* As whoever has a module calls it, and as a class does that has one of its own. */
    bool is_inherited = round % 2 != 0;
    {
      Module imported = Module::Make<Custom>("looked up");
      CALL(t, library->ImportModule(imported));
    }
    TVMFFIObjectHandle found = nullptr;
    CHECK_OK(t, TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, "looked up", &found));
    TVMFFIAny first = {};
    CHECK_OK(t, TVMFFIFunctionCall(found, nullptr, 0, &first));
    CHECK_TRUE(t, first.v_int64 >= 0 && first.v_int64 < made);
    all.push_back({found, first.v_int64});
    CALL(t, is_inherited ? library->ModuleObj::ClearImports() : library->ClearImports());
    for (const Found& each : all) {
      CHECK_TRUE(t, !ended[each.number]);
      TVMFFIAny result = {};
      CHECK_OK(t, TVMFFIFunctionCall(each.function, nullptr, 0, &result));
      CHECK_EQ_INT(t, "answer of a function that was looked up before", result.v_int64, each.number);
    }
  }
  return 0;
}

/**
 * A module that would import itself, directly or through any number of others, is refused with an Error by whichever way it is imported, and nothing
 * is imported.
 */
CXX_CALLER(module_circle) {
  CLAUSE(t, "CXX-0015");
  Any any = CallGlobal("ffi.SystemLib", {String("verify_circle_")});
  TVMFFIObjectIncRef(any.get().v_obj);
  const Module theirs(any.get().v_obj);
  const struct {
    const char* name;
    std::function<void(const Module&, const Module&)> import;
  } doors[] = {
      {"ImportModule, inherited", [](const Module& of, const Module& other) { of->ModuleObj::ImportModule(other); }},
      {"ImportModule of the virtual table", [](const Module& of, const Module& other) { of->ImportModule(other); }},
      {"ffi.ModuleImportModule",
       [](const Module& of, const Module& other) { CallGlobal("ffi.ModuleImportModule", {of.any(), other.any()}); }},
  };
  for (const auto& door : doors) {
    for (size_t length = 1; length <= 5; ++length) {
      /* Where a module of the library is one of them, somewhere in the middle or at the end, or nowhere. */
      for (size_t place : {length, length - 1, length / 2}) {
        std::vector<Module> line;
        for (size_t i = 0; i < length; ++i) {
          line.push_back(i == place ? theirs : i % 2 != 0 ? Module::Make<Custom>("link") : Module::Make<Plain>());
        }
        for (size_t i = 0; i + 1 < length; ++i) CALL(t, line[i]->ImportModule(line[i + 1]));
        std::vector<uint64_t> before;
        for (const Module& each : line) before.push_back(CountsOf(each));
        for (size_t from = 0; from < length; ++from) {
          /* Whether a class of the library's own refuses it is for another clause to say. */
          if (from == place) continue;
          for (size_t to = 0; to <= from; ++to) {
            const std::string what = std::string(door.name) + ", of module " + std::to_string(to) + " by module " +
                                     std::to_string(from) + " of " + std::to_string(length);
            t->enter(t->context, what.c_str());
            const bool is_refused = Thrown([&] { door.import(line[from], line[to]); }) != "nothing";
            t->leave(t->context);
            CHECK_EQ_INT(t, what.c_str(), is_refused ? 1 : 0, 1);
            for (size_t i = 0; i < length; ++i) {
              const std::string counts = "counts of module " + std::to_string(i) + " after " + what;
              CHECK_EQ_INT(t, counts.c_str(), CountsOf(line[i]), before[i]);
            }
          }
        }
        CALL(t, theirs->ClearImports());
      }
    }
  }
  return 0;
}

/** A module of the library is called through the places of the virtual table, like one of the client's own. */
CXX_CALLER(module_of_the_library) {
  CLAUSE(t, "CXX-0016");
  Any any = CallGlobal("ffi.SystemLib", {});
  TVMFFIObjectIncRef(any.get().v_obj);
  Module module(any.get().v_obj);
  CHECK_TEXT(t, "kind()", module->kind(), String::TextOf(CallGlobal("ffi.ModuleGetKind", {any})));
  CHECK_EQ_INT(t, "GetPropertyMask()", module->GetPropertyMask(), CallGlobal("ffi.ModuleGetPropertyMask", {any}).get().v_int64);
  CHECK_EQ_PTR(t, "GetFunction(name)", module->GetFunction("no such function").handle(), NULL);
  CHECK_TRUE(t, !module->ImplementsFunction("no such function"));
  CHECK_EQ_INT(t, "GetFunctionDoc(name)", module->GetFunctionDoc("no such function").get().type_index, kTVMFFINone);
  std::string source = String::TextOf(CallGlobal("ffi.ModuleInspectSource", {any, String("")}));
  CHECK_TEXT(t, "InspectSource(format)", module->InspectSource("").text(), source);
  CHECK_TEXT(t, "thrown by SaveToBytes()", KindThrown([&] { module->SaveToBytes(); }), "RuntimeError");
  Module imported = Module::Make<Custom>("imported");
  CALL(t, module->ImportModule(imported));
  CHECK_NOT_NULL(t, "function of an import", module->GetFunction("imported", true).handle());
  CALL(t, module->ClearImports());
  CHECK_EQ_PTR(t, "function of a cleared import", module->GetFunction("imported", true).handle(), NULL);
  return 0;
}

/** A module of the library has a class of its own, and is told from a client's by its type information. */
CXX_CALLER(module_type_information) {
  CLAUSE(t, "CXX-0017");
  Any any = CallGlobal("ffi.SystemLib", {});
  TVMFFIObjectIncRef(any.get().v_obj);
  Module theirs(any.get().v_obj), ours = Module::Make<Custom>("own");
  CHECK_TEXT(t, "name of the class", typeid(ModuleObj).name(), "N3tvm3ffi9ModuleObjE");
  CHECK_TRUE(t, typeid(*theirs.operator->()) != typeid(ModuleObj));
  CHECK_TRUE(t, dynamic_cast<Custom*>(theirs.operator->()) == nullptr);
  CHECK_TRUE(t, dynamic_cast<Custom*>(ours.operator->()) != nullptr);
  CHECK_TRUE(t, dynamic_cast<Plain*>(ours.operator->()) == nullptr);
  return 0;
}

/**
 * Whatever a client's method throws passes through the library's C++ functions as it is: an Error, another exception,
 * a number.
 */
CXX_CALLER(exceptions_pass) {
  CLAUSE(t, "CXX-0018");
  Module module = Module::Make<Plain>(), imported = Module::Make<Custom>("imported");
  CALL(t, module->ImportModule(imported));
  for (int round = 0; round < 3; ++round) {
    CHECK_TEXT(t, "Error", Thrown([&] { module->GetFunction("error", true); }), "KeyError: from a method");
    CHECK_TEXT(t, "another exception", Thrown([&] { module->GetFunction("failure", true); }), "another failure");
    CHECK_TEXT(t, "number", Thrown([&] { module->GetFunction("number", true); }), "7");
    CHECK_TEXT(t, "another exception", Thrown([&] { module->ImplementsFunction("failure", true); }), "another failure");
    CHECK_TEXT(t, "without imports", Thrown([&] { module->ImplementsFunction("failure", false); }), "nothing");
  }
  CHECK_EQ_INT(t, "counts of the import", CountsOf(imported), (uint64_t{1} << 32) | 2);
  CHECK_NOT_NULL(t, "function after exceptions", module->GetFunction("imported", true).handle());
  return 0;
}

/**
 * What a client's method throws becomes the raised error of the function that called it: an Error as it is, another
 * exception with its text.
 */
CXX_CALLER(exceptions_are_raised) {
  CLAUSE(t, "CXX-0019");
  Module module = Module::Make<Custom>("own");
  auto get = [&](const char* name) {
    return Thrown([&] { CallGlobal("ffi.ModuleGetFunction", {module.any(), String(name), Any::Of(true)}); });
  };
  CHECK_TEXT(t, "an Error", get("error"), "KeyError: from a method");
  CHECK_TRUE(t, get("failure").find("another failure") != std::string::npos);
  CHECK_TEXT(t, "after exceptions", get("own"), "nothing");
  return 0;
}

/**
 * What is passed by reference to the C++ functions of modules keeps its counts when they throw: names, a path, a callback and modules.
 */
CXX_CALLER(module_ownership_when_thrown) {
  CLAUSE(t, "CXX-0008");
  Module root = Module::Make<Plain>(), middle = Module::Make<Plain>(), leaf = Module::Make<Custom>("leaf");
  CALL(t, root->ImportModule(middle));
  CALL(t, middle->ImportModule(leaf));
  String path("/no/such/folder/of/a/long/name/library.so");
  Any function = RefusingFunction();
  TVMFFIObjectIncRef(function.get().v_obj);
  TypedFunction<void(String, void*)> refusing(function.get().v_obj);
  CHECK_OK(t, TVMFFIEnvModRegisterContextSymbol("verify_cxx_refused", &alive));
  const bool loads = dlsym(RTLD_DEFAULT, "_ZN3tvm3ffi6Module12LoadFromFileERKNS0_6StringE") != nullptr;
  const bool visits =
      dlsym(RTLD_DEFAULT, "_ZN3tvm3ffi6Module19VisitContextSymbolsERKNS0_13TypedFunctionIFvNS0_6StringEPvEEE") != nullptr;
  /* However short a name is, here it is an object. */
  for (const char* text : {"error", "failure", "number"}) {
    String name;
    static_cast<Any&>(name) = TextObject(text);
    std::vector<Any> held = {name, path, function, root.any(), middle.any(), leaf.any()};
    std::vector<uint64_t> before;
    for (const Any& each : held) before.push_back(counts_of(each.get().v_obj));
    const struct {
      const char* name;
      std::function<void()> call;
    } calls[] = {
        {"GetFunction(name, query_imports)", [&] { root->GetFunction(name, true); }},
        {"ImplementsFunction(name, query_imports)", [&] { root->ImplementsFunction(name, true); }},
        {"ImportModule(other), itself", [&] { root->ImportModule(root); }},
        {"ImportModule(other), a circle", [&] { leaf->ImportModule(root); }},
        {"LoadFromFile(path)", [&] { if (loads) Module::LoadFromFile(path); }},
        {"VisitContextSymbols(callback)", [&] { if (visits) Module::VisitContextSymbols(refusing); }},
    };
    for (const auto& call : calls) {
      t->enter(t->context, call.name);
      Thrown(call.call);
      t->leave(t->context);
      for (size_t i = 0; i < held.size(); ++i) {
        const std::string what = std::string("counts after ") + call.name;
        CHECK_EQ_INT(t, what.c_str(), counts_of(held[i].get().v_obj), before[i]);
      }
    }
  }
  return 0;
}

/** A module of a client's class ends when its last reference is given up, with the imports that it holds. */
CXX_CALLER(module_ends) {
  CLAUSE(t, "CXX-0020");
  alive = 0;
  {
    Module module = Module::Make<Custom>("own");
    CALL(t, module->ImportModule(Module::Make<Custom>("imported")));
    CHECK_NOT_NULL(t, "function", module->GetFunction("imported", true).handle());
    CHECK_EQ_INT(t, "modules that are alive", alive, 2);
  }
  CHECK_EQ_INT(t, "modules that are alive", alive, 0);
  return 0;
}

static int seen = 0, stop_at = 0;

static int See(void*, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  *result = any_none();
  if (num_args != 2 || args[1].type_index != kTVMFFIOpaquePtr || args[1].v_ptr != &alive) return 0;
  if (++seen != stop_at) return 0;
  TVMFFIErrorSetRaisedFromCStr("IndexError", "at the second symbol");
  return -1;
}

/**
 * Module::VisitContextSymbols calls back for each symbol of the context with its name and address, and throws what the
 * callback raises.
 */
CXX_CALLER(context_symbols) {
  CLAUSE(t, "CXX-0021");
  NEEDS(t, "_ZN3tvm3ffi6Module19VisitContextSymbolsERKNS0_13TypedFunctionIFvNS0_6StringEPvEEE");
  CHECK_OK(t, TVMFFIEnvModRegisterContextSymbol("verify_cxx_one", &alive));
  CHECK_OK(t, TVMFFIEnvModRegisterContextSymbol("verify_cxx_two", &alive));
  TVMFFIObjectHandle function = NULL;
  CHECK_OK(t, TVMFFIFunctionCreate(NULL, See, NULL, &function));
  TypedFunction<void(String, void*)> callback(function);
  CALL(t, Module::VisitContextSymbols(callback));
  CHECK_EQ_INT(t, "symbols of the client", seen, 2);
  seen = 0, stop_at = 2;
  CHECK_TEXT(t, "thrown", Thrown([&] { Module::VisitContextSymbols(callback); }), "IndexError: at the second symbol");
  return 0;
}
