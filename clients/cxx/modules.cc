// Modules: kinds that C++ defines, called by the library, and the library's own, called by C++; imports of each by each.
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/extra/module.h>

#include <string>

#include "show.h"

using ffi::Any;
using ffi::Array;
using ffi::Bytes;
using ffi::Function;
using ffi::Module;
using ffi::Optional;
using ffi::String;

namespace {

// What a module has to have, and nothing else.
class PlainObj : public ffi::ModuleObj {
 public:
  explicit PlainObj(std::string name) : name(std::move(name)) {}
  ~PlainObj() { std::cout << "(" << name << " is gone) "; }
  const char* kind() const final { return "clients.plain"; }
  Optional<Function> GetFunction(const String& wanted) override {
    if (wanted != name) return std::nullopt;
    return Function::FromTyped([name = name] { return String("called " + name); });
  }
  std::string name;
};

// Everything a module may have.
class FullObj : public PlainObj {
 public:
  using PlainObj::PlainObj;
  int GetPropertyMask() const final { return Module::kBinarySerializable | Module::kRunnable | Module::kCompilationExportable; }
  bool ImplementsFunction(const String& wanted) final { return wanted == "declared" || PlainObj::ImplementsFunction(wanted); }
  Optional<String> GetFunctionDoc(const String& wanted) final {
    return wanted == name ? Optional<String>(String("The documentation of " + name)) : std::nullopt;
  }
  Optional<String> GetFunctionMetadata(const String& wanted) final {
    return wanted == name ? Optional<String>(String("{\"short\":1}")) : std::nullopt;
  }
  void WriteToFile(const String& file, const String& format) const final { std::cout << "(written to " << file << " as " << format << ") "; }
  Array<String> GetWriteFormats() const final { return {"first", "second"}; }
  Bytes SaveToBytes() const final { return Bytes(name); }
  String InspectSource(const String& format) const final { return "source in " + std::string(format); }
  void ImportModule(const Module& other) final {
    std::cout << "(imports " << other->kind() << ") ";
    ModuleObj::ImportModule(other);
  }
  void ClearImports() final {
    std::cout << "(clears) ";
    ModuleObj::ClearImports();
  }
};

// One whose functions throw what they please.
class ThrowingObj : public ffi::ModuleObj {
 public:
  const char* kind() const final { return "clients.throwing"; }
  Optional<Function> GetFunction(const String& name) final {
    if (name == "plain") throw std::runtime_error("a plain exception");
    throw ffi::Error("ValueError", "no function " + std::string(name), "");
  }
  String InspectSource(const String&) const final { throw ffi::Error("KeyError", "no source", ""); }
};

template <typename T>
Module Make(const char* name) {
  return Module(ffi::make_object<T>(name));
}

template <typename... Args>
Any Call(const char* name, Args&&... args) {
  return Function::GetGlobalRequired(name)(std::forward<Args>(args)...);
}

// What the library says of a module: through its global functions, and through its C++ functions.
void Describe(const Module& module, const String& name) {
  Show("kind", [&] { return Call("ffi.ModuleGetKind", module); });
  Show("properties", [&] { return Call("ffi.ModuleGetPropertyMask", module); });
  Show("formats", [&] { return Call("ffi.ModuleGetWriteFormats", module); });
  Show("source", [&] { return Call("ffi.ModuleInspectSource", module, "text"); });
  Show("write", [&] { return Call("ffi.ModuleWriteToFile", module, "file", "first"); });
  Show("bytes", [&] { return module->SaveToBytes(); });
  for (bool imports : {false, true}) {
    Show("implements", [&] { return Call("ffi.ModuleImplementsFunction", module, name, imports); });
    Show("implements, in C++", [&] { return Any(module->ImplementsFunction(name, imports)); });
    Show("function", [&] { return Call("ffi.ModuleGetFunction", module, name, imports).cast<Optional<Function>>().value()(); });
    Show("function, in C++", [&] { return module->GetFunction(name, imports).value()(); });
    Show("documentation", [&] { return Call("ffi.ModuleGetFunctionDoc", module, name, imports); });
    Show("documentation, in C++", [&] { return Any(module->GetFunctionDoc(name, imports)); });
    Show("metadata", [&] { return Call("ffi.ModuleGetFunctionMetadata", module, name, imports); });
    Show("metadata, in C++", [&] { return Any(module->GetFunctionMetadata(name, imports)); });
  }
  std::cout << "imports: " << module->imports().size() << std::endl;
}

void Kinds() {
  Heading("a plain module");
  Module plain = Make<PlainObj>("plain");
  Describe(plain, "plain");
  Describe(plain, "missing");
  Show("declared", [&] { return plain; });
  Heading("a full one");
  Module full = Make<FullObj>("full");
  Describe(full, "full");
  Describe(full, "declared");
  Heading("imports");
  Show("import", [&] { return Call("ffi.ModuleImportModule", full, plain); });
  Show("import, in C++", [&] { full->ImportModule(Make<FullObj>("other")); });
  Describe(full, "plain");
  Describe(full, "other");
  Show("in a circle", [&] { plain->ImportModule(full); });
  Show("itself", [&] { return Call("ffi.ModuleImportModule", plain, plain); });
  Show("by the library ", [&] {
    TVMFFIObjectHandle function = nullptr;
    TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvModLookupFromImports(const_cast<ffi::ModuleObj*>(full.operator->()), "other", &function));
    return ffi::details::ObjectUnsafe::ObjectRefFromObjectPtr<Function>(ffi::details::ObjectUnsafe::ObjectPtrFromUnowned<ffi::Object>(static_cast<TVMFFIObject*>(function)))();
  });
  Show("by the library, missing", [&] {
    TVMFFIObjectHandle function = nullptr;
    TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvModLookupFromImports(const_cast<ffi::ModuleObj*>(full.operator->()), "missing", &function));
  });
  Show("clear", [&] { return Call("ffi.ModuleClearImports", full); });
  std::cout << full->imports().size() << std::endl;
  Show("kept", [&] { return Call("ffi.ModuleGlobalsAdd", plain); });
}

void Throwing() {
  Heading("one that throws");
  Module throwing = Module(ffi::make_object<ThrowingObj>());
  Show("through the library", [&] { return Call("ffi.ModuleGetFunction", throwing, "any", false); });
  Show("in C++", [&] { return throwing->GetFunction("any", false).value()(); });
  Show("a plain exception, in C++", [&] { return throwing->GetFunction("plain", true).value()(); });
  Show("implements", [&] { return Call("ffi.ModuleImplementsFunction", throwing, "any", false); });
  Show("source", [&] { return Call("ffi.ModuleInspectSource", throwing, ""); });
  Module outer = Make<FullObj>("outer");
  outer->ImportModule(throwing);
  Show("through an import", [&] { return outer->GetFunction("inner", true).value()(); });
}

int SystemFunction(void*, const TVMFFIAny*, int32_t count, TVMFFIAny* result) {
  result->type_index = kTVMFFIInt;
  result->v_int64 = count;
  return 0;
}

void OfTheLibrary() {
  Heading("the library's own");
  TVMFFIEnvModRegisterSystemLibSymbol("__tvm_ffi_clients_system", reinterpret_cast<void*>(SystemFunction));
  Module system = Call("ffi.SystemLib").cast<Module>();
  std::cout << system->kind() << " " << system->GetPropertyMask() << " " << system->imports().size() << std::endl;
  Show("its function", [&] { return system->GetFunction("clients_system").value()(1, 2, 3); });
  Show("with imports", [&] { return system->GetFunction("clients_system", true).value()(1); });
  Show("none", [&] { return Any(system->GetFunction("none")); });
  Show("implements", [&] { return Any(system->ImplementsFunction("clients_system")); });
  Show("documentation", [&] { return Any(system->GetFunctionDoc("clients_system")); });
  Show("formats", [&] { return system->GetWriteFormats(); });
  Show("source", [&] { return system->InspectSource(""); });
  Show("write", [&] { system->WriteToFile("file", "format"); });
  Show("save", [&] { return system->SaveToBytes(); });
  Show("imports one of C++", [&] { system->ImportModule(Make<PlainObj>("imported")); });
  Show("whose function is found", [&] { return system->GetFunction("imported", true).value()(); });
  Show("imported by one of C++", [&] { Make<FullObj>("importer")->ImportModule(system); });
  Show("clears", [&] { system->ClearImports(); });
  std::cout << system->imports().size() << std::endl;
  for (const char* file : {"/nowhere/library.so", "/nowhere/library", "/nowhere/library.unknown"}) {
    Show(file, [&] { return Module::LoadFromFile(file); });
  }
  Function::SetGlobal("ffi.Module.load_from_file.clients", Function::FromTyped([](String file, String suffix) {
    std::cout << "(" << file << " " << suffix << ") ";
    return Make<PlainObj>("loaded");
  }));
  Show("by a loader of ours", [] { return Module::LoadFromFile("some.file.clients")->GetFunction("loaded").value()(); });
}

void ContextSymbols() {
  Heading("context symbols");
  static int first, second;
  TVMFFIEnvModRegisterContextSymbol("__clients_first", &first);
  TVMFFIEnvModRegisterContextSymbol("__clients_second", &second);
  Module::VisitContextSymbols([](String name, void* address) {
    if (std::string(name).find("__clients") == 0) std::cout << name << " " << (address == &first) << (address == &second) << std::endl;
  });
  Show("a visitor that throws", [] {
    Module::VisitContextSymbols([](String name, void*) { throw ffi::Error("ValueError", "enough of " + std::string(name), ""); });
  });
}

}  // namespace

int main() {
  Kinds();
  std::cout << std::endl;
  Throwing();
  std::cout << std::endl;
  OfTheLibrary();
  ContextSymbols();
}
