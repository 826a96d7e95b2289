/* What modules import, as it is held and asked again while imports come and go by every door of a C++ client. */
#include "samples.hpp"

#include <functional>
#include <string>
#include <vector>

using namespace tvm::ffi;

namespace {

int Answer(void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
  *result = any_int(7);
  return 0;
}

/** A module that has one function. */
struct Named : ModuleObj {
  explicit Named(const char* name) : name(name) {}

  const char* kind() const override { return "verify_named"; }
  Optional<Function> GetFunction(const String& asked) override {
    TVMFFIObjectHandle function = nullptr;
    if (asked.text() != name) return Optional<Function>();
    if (TVMFFIFunctionCreate(nullptr, Answer, nullptr, &function) != 0) throw Error::Raised();
    return Optional<Function>(function);
  }
  Optional<String> GetFunctionDoc(const String& asked) override {
    return asked.text() == name ? Optional<String>(String("documentation")) : Optional<String>();
  }
  Optional<String> GetFunctionMetadata(const String& asked) override {
    return asked.text() == name ? Optional<String>(String("{}")) : Optional<String>();
  }

  std::string name;
};

const struct {
  const char* name;
  std::function<void(const Module&, const Module&)> import;
  std::function<void(const Module&)> clear;
} kDoors[] = {
    {"what is inherited", [](const Module& of, const Module& other) { of->ModuleObj::ImportModule(other); },
     [](const Module& of) { of->ModuleObj::ClearImports(); }},
    {"the virtual table", [](const Module& of, const Module& other) { of->ImportModule(other); },
     [](const Module& of) { of->ClearImports(); }},
    {"global functions",
     [](const Module& of, const Module& other) { CallGlobal("ffi.ModuleImportModule", {of.any(), other.any()}); },
     [](const Module& of) { CallGlobal("ffi.ModuleClearImports", {of.any()}); }},
};

Module SystemLib(const char* prefix) {
  Any any = CallGlobal("ffi.SystemLib", {String(prefix)});
  TVMFFIObjectIncRef(any.get().v_obj);
  return Module(any.get().v_obj);
}

/** The Array that the field imports_ of a module gives out. */
Any ImportsOf(const Module& module) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(kTVMFFIModule);
  for (int32_t i = 0; info && i < info->num_fields; ++i) {
    const TVMFFIFieldInfo& field = info->fields[i];
    if (std::string(field.name.data, field.name.size) != "imports_") continue;
    Any imports;
    if (field.getter(static_cast<char*>(module.handle()) + field.offset, imports.slot()) != 0) throw Error::Raised();
    return imports;
  }
  throw Error("LookupError", "modules have no field imports_");
}

/** An Array of imports that somebody holds, and what was in it. */
struct Held {
  Any array;
  std::vector<TVMFFIObjectHandle> modules;
};

/** The first Array of which the modules are not those that were in it, or -1. */
int FirstChanged(const std::vector<Held>& all) {
  for (size_t i = 0; i < all.size(); ++i) {
    const std::vector<TVMFFIObjectHandle>& modules = all[i].modules;
    const int64_t size = CallGlobal("ffi.ArraySize", {all[i].array}).get().v_int64;
    if (size != static_cast<int64_t>(modules.size())) return static_cast<int>(i);
    for (size_t place = 0; place < modules.size(); ++place) {
      Any item = CallGlobal("ffi.ArrayGetItem", {all[i].array, Any::Of(static_cast<int64_t>(place))});
      if (item.get().v_obj != modules[place]) return static_cast<int>(i);
    }
  }
  return -1;
}

}  // namespace

/**
 * An Array of imports that is held, of a module of the library's or of a class of the client's own, does not change when modules are imported and
 * imports are given up, by what a class inherits, by the virtual table or by the global functions.
 */
CXX_CALLER(module_imports_that_are_held) {
  CLAUSE(t, "MOD-0044");
  const Module imported[] = {Module::Make<Named>("one"), Module::Make<Named>("two"), Module::Make<Named>("three")};
  for (bool is_client : {false, true}) {
    for (const auto& importing : kDoors) {
      for (const auto& clearing : kDoors) {
        const Module module = is_client ? Module::Make<Named>("importer") : SystemLib("verify_held_imports_");
        const std::string of = std::string(is_client ? "a client's module" : "the library's module") + ", whose imports come by " +
                               importing.name + " and go by " + clearing.name;
        std::vector<Held> all;
        for (int round = 0; round < 2; ++round) {
          std::vector<TVMFFIObjectHandle> now;
          for (const Module& each : imported) {
            all.push_back({ImportsOf(module), now});
            CALL(t, importing.import(module, each));
            now.push_back(each.handle());
            const std::string what = "number of an Array that an import has changed, of " + of;
            CHECK_EQ_INT(t, what.c_str(), FirstChanged(all), -1);
          }
          all.push_back({ImportsOf(module), now});
          CALL(t, clearing.clear(module));
          const std::string what = "number of an Array that has changed when imports were given up, of " + of;
          CHECK_EQ_INT(t, what.c_str(), FirstChanged(all), -1);
        }
      }
    }
  }
  return 0;
}

/**
 * The members of a class that is derived from ModuleObj tell what is imported right after imports have come or gone, by whichever door, of the module
 * itself or of one that it imports, and of a module that lies where another lay.
 */
CXX_CALLER(module_imports_asked_again) {
  CLAUSE(t, "CXX-0014");
  const struct {
    const char* name;
    std::function<bool(const Module&)> ask;
  } questions[] = {
      {"GetFunction", [](const Module& of) { return of->GetFunction("leaf", true).handle() != nullptr; }},
      {"ImplementsFunction", [](const Module& of) { return of->ImplementsFunction("leaf", true); }},
      {"GetFunctionDoc", [](const Module& of) { return of->GetFunctionDoc("leaf", true).get().type_index != kTVMFFINone; }},
      {"GetFunctionMetadata",
       [](const Module& of) { return of->GetFunctionMetadata("leaf", true).get().type_index != kTVMFFINone; }},
  };
  const Module leaf = Module::Make<Named>("leaf"), other = Module::Make<Named>("other");
  for (const auto& question : questions) {
    for (const auto& door : kDoors) {
      for (int between = 0; between < 3; ++between) {
        /* Each lies where the one before lay, as often as not. */
        const Module root = Module::Make<Named>("root");
        Module importer = root;
        for (int i = 0; i < between; ++i) {
          Module next = Module::Make<Named>("between");
          CALL(t, importer->ImportModule(next));
          importer = next;
        }
        const std::string of = std::string(question.name) + ", asked of a module with " + std::to_string(between) +
                               " up to the one whose imports change by " + door.name + ", ";
        /* What is imported, or NULL where all is given up, and whether the function is there then. */
        const struct {
          const Module* import;
          bool is_there;
        } steps[] = {{&other, false}, {&leaf, true},     {nullptr, false}, {&leaf, true},
                     {nullptr, false}, {&other, false}, {nullptr, false}, {&leaf, true}};
        CHECK_EQ_INT(t, (of + "at first").c_str(), question.ask(root) ? 1 : 0, 0);
        int number = 0;
        for (const auto& step : steps) {
          if (step.import) {
            CALL(t, door.import(importer, *step.import));
          } else {
            CALL(t, door.clear(importer));
          }
          const std::string what = of + "after change " + std::to_string(++number);
          for (int again = 0; again < 2; ++again) {
            CHECK_EQ_INT(t, what.c_str(), question.ask(root) ? 1 : 0, step.is_there ? 1 : 0);
          }
        }
        CALL(t, door.clear(root));
        CHECK_EQ_INT(t, (of + "when the way to it was given up").c_str(), question.ask(root) ? 1 : 0, 0);
      }
    }
  }
  return 0;
}
