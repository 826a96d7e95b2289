/*
 * Modules of a C++ client's own class, and calls of any module's methods through its virtual table, as functions in C.
 *
 * Nothing here needs C++ functions of the library: a client that implements all methods gets along without them.
 */
#include <stdexcept>

#include "client.h"

using namespace tvm::ffi;

namespace {

/** The methods of a module in the order of their places in the virtual table, which lies in front of the header. */
class Methods : public Object {
 public:
  virtual const char* kind() const = 0;
  virtual int GetPropertyMask() const = 0;
  virtual Optional<Function> GetFunction(const String& name) = 0;
  virtual bool ImplementsFunction(const String& name) = 0;
  virtual Optional<String> GetFunctionDoc(const String& name) = 0;
  virtual Optional<String> GetFunctionMetadata(const String& name) = 0;
  virtual void WriteToFile(const String& file, const String& format) const = 0;
  virtual Array<String> GetWriteFormats() const = 0;
  virtual Bytes SaveToBytes() const = 0;
  virtual String InspectSource(const String& format) const = 0;
  virtual void ImportModule(const Module& other) = 0;
  virtual void ClearImports() = 0;
};

int Answer(void*, const TVMFFIAny*, int32_t, TVMFFIAny* result) {
  result->type_index = kTVMFFIInt;
  result->v_int64 = 42;
  return 0;
}

/** A module with the one function `own`, which tells of its end. Some names have a method throw. */
class Custom final : public Methods {
 public:
  explicit Custom(int32_t* ends) : ends_(ends) {}
  ~Custom() { *ends_ += 1; }

  const char* kind() const override { return "verify_class"; }
  int GetPropertyMask() const override { return 5; }
  Optional<Function> GetFunction(const String& name) override {
    Throw(name);
    TVMFFIObjectHandle function = nullptr;
    if (name.text() == "own" && TVMFFIFunctionCreate(nullptr, Answer, nullptr, &function) != 0) throw Error::Raised();
    return Optional<Function>(function);
  }
  bool ImplementsFunction(const String& name) override {
    Throw(name);
    return name.text() == "own" || name.text() == "hidden";
  }
  Optional<String> GetFunctionDoc(const String& name) override { return Text(name, "what own does, in some words"); }
  Optional<String> GetFunctionMetadata(const String& name) override { return Text(name, "{}"); }
  void WriteToFile(const String& file, const String& format) const override {
    Throw(format);
    written = file.text() + " as " + format.text();
  }
  Array<String> GetWriteFormats() const override {
    return Array<String>(NewReference(CallGlobal("ffi.Array", {String("o"), String("a format")})));
  }
  Bytes SaveToBytes() const override { throw Error("RuntimeError", "cannot be saved"); }
  String InspectSource(const String& format) const override {
    Throw(format);
    return String("source as " + format.text());
  }
  void ImportModule(const Module& other) override {
    /* An array does not change: the new one is as long as the old one, and one longer. */
    TVMFFIAny all[17] = {};
    int32_t count = 0;
    Any imports = imports_.any();
    for (int64_t size = CallGlobal("ffi.ArraySize", {imports}).get().v_int64; count < size && count < 16; ++count) {
      all[count] = CallGlobal("ffi.ArrayGetItem", {imports, Any::Of(count)}).get();
    }
    all[count++] = other.any().get();
    Any longer;
    TVMFFIByteArray name = {"ffi.Array", 9};
    TVMFFIObjectHandle make = nullptr;
    if (TVMFFIFunctionGetGlobal(&name, &make) != 0 || make == nullptr) throw Error("RuntimeError", "no ffi.Array");
    ObjectRef held(make);
    if (TVMFFIFunctionCall(make, all, count, longer.slot()) != 0) throw Error::Raised();
    imports_ = ObjectRef(NewReference(longer));
  }
  void ClearImports() override { imports_ = ObjectRef(NewReference(CallGlobal("ffi.Array", {}))); }

  static std::string written;

 private:
  static TVMFFIObjectHandle NewReference(const Any& any) {
    TVMFFIObjectIncRef(any.get().v_obj);
    return any.get().v_obj;
  }
  static Optional<String> Text(const String& name, const char* text) {
    Throw(name);
    return name.text() == "own" ? Optional<String>(String(text)) : Optional<String>();
  }
  static void Throw(const String& name) {
    if (name.text() == "error") throw Error("KeyError", "from a method");
    if (name.text() == "failure") throw std::runtime_error("another failure");
  }

  /* Where every module has its imports, and what it has looked up in them. */
  ObjectRef imports_{NewReference(CallGlobal("ffi.Array", {}))};
  ObjectRef looked_up_{NewReference(CallGlobal("ffi.Map", {}))};
  int32_t* ends_;
};
std::string Custom::written;

void Delete(void* header, int flags) {
  Custom* module = static_cast<Custom*>(static_cast<Object*>(header));
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) module->~Custom();
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) operator delete(static_cast<void*>(module));
}

/** Gives up what is owned here. */
TVMFFIAny Release(Any owned) {
  TVMFFIAny value = owned.get();
  *owned.slot() = TVMFFIAny();
  return value;
}

}  // namespace

extern "C" {

TVM_FFI_DLL_EXPORT TVMFFIObjectHandle verify_new_module(int32_t* ends);
TVM_FFI_DLL_EXPORT int verify_call_method(TVMFFIObjectHandle module, int32_t method, const char* text, const char* other,
                                          TVMFFIObjectHandle object, TVMFFIAny* result);

/* A module that adds 1 to a number when it ends; NULL if there can be none. */
TVMFFIObjectHandle verify_new_module(int32_t* ends) {
  try {
    Custom* module = new Custom(ends);
    module->header.combined_ref_count = (uint64_t{1} << 32) | 1;
    module->header.type_index = kTVMFFIModule;
    module->header.deleter = &Delete;
    return &module->header;
  } catch (...) {
    return nullptr;
  }
}

/*
 * Calls a method by its place. Its result, or the object that it throws, belongs to the caller. Answers 0, 1 when an
 * Error is thrown, 2 when something else is.
 */
int verify_call_method(TVMFFIObjectHandle module, int32_t method, const char* text, const char* other,
                       TVMFFIObjectHandle object, TVMFFIAny* result) {
  Methods* methods = static_cast<Methods*>(static_cast<Object*>(module));
  Any answer;
  try {
    switch (method) {
      case 0: answer = String(methods->kind()); break;
      case 1: answer = Any::Of(methods->GetPropertyMask()); break;
      case 2: answer = methods->GetFunction(text).any(); break;
      case 3: answer = Any::Of(int64_t{methods->ImplementsFunction(text)}); break;
      case 4: answer = methods->GetFunctionDoc(text); break;
      case 5: answer = methods->GetFunctionMetadata(text); break;
      case 6: methods->WriteToFile(text, other); break;
      case 7: answer = methods->GetWriteFormats().any(); break;
      case 8: answer = methods->SaveToBytes(); break;
      case 9: answer = methods->InspectSource(text); break;
      case 10: {
        TVMFFIObjectIncRef(object);
        methods->ImportModule(Module(object));
        break;
      }
      case 11: methods->ClearImports(); break;
      /* What was written last by a module of this class. */
      default: answer = String(Custom::written); break;
    }
  } catch (const Error& error) {
    *result = Release(error.any());
    return 1;
  } catch (...) {
    return 2;
  }
  *result = Release(answer);
  return 0;
}
}
