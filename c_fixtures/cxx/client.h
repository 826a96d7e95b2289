/*
 * The library as C++ clients see it: as much of its classes as the fixtures here use, laid out and named so that the
 * compiler finds the library's functions, type information and virtual tables.
 */
#ifndef TVM_FFI_FIXTURES_CLIENT_H_
#define TVM_FFI_FIXTURES_CLIENT_H_

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <new>
#include <string>

namespace tvm {
namespace ffi {

/** An owned value. */
class Any {
 public:
  Any() : value_{} {}
  Any(const Any& other) : value_(other.value_) {
    if (is_object()) TVMFFIObjectIncRef(value_.v_obj);
  }
  Any& operator=(Any other) {
    TVMFFIAny mine = value_;
    value_ = other.value_;
    other.value_ = mine;
    return *this;
  }
  ~Any() {
    if (is_object()) TVMFFIObjectDecRef(value_.v_obj);
  }
  static Any Of(bool truth) {
    Any any = Of(int64_t{truth});
    any.value_.type_index = kTVMFFIBool;
    return any;
  }
  static Any Of(int number) { return Of(int64_t{number}); }
  static Any Of(double number) {
    Any any;
    any.value_.type_index = kTVMFFIFloat;
    any.value_.v_float64 = number;
    return any;
  }
  static Any Of(int64_t number) {
    Any any;
    any.value_.type_index = kTVMFFIInt;
    any.value_.v_int64 = number;
    return any;
  }
  /** Takes over the reference. */
  static Any Owning(TVMFFIObjectHandle object) {
    Any any;
    any.value_.type_index = object ? static_cast<TVMFFIObject*>(object)->type_index : kTVMFFINone;
    any.value_.v_obj = static_cast<TVMFFIObject*>(object);
    return any;
  }
  const TVMFFIAny& get() const { return value_; }
  TVMFFIAny* slot() { return &value_; }

 protected:
  bool is_object() const { return value_.type_index >= kTVMFFIStaticObjectBegin; }
  TVMFFIAny value_;
};

/** A text, with the layout of a value. */
class String : public Any {
 public:
  String() { value_.type_index = kTVMFFISmallStr; }
  String(const char* text) : String(std::string(text)) {}
  String(const std::string& text) {
    TVMFFIByteArray bytes = {text.data(), text.size()};
    if (TVMFFIStringFromByteArray(&bytes, slot()) != 0) abort();
  }
  std::string text() const { return TextOf(*this); }
  static std::string TextOf(const Any& value) {
    const TVMFFIAny& raw = value.get();
    if (raw.type_index == kTVMFFISmallStr) return std::string(raw.v_bytes, raw.small_str_len);
    if (raw.type_index != kTVMFFIStr) return "<no text>";
    const TVMFFIByteArray* content = reinterpret_cast<const TVMFFIByteArray*>(raw.v_obj + 1);
    return std::string(content->data, content->size);
  }
};

/** Bytes, with the layout of a value. */
class Bytes : public Any {};

/** A reference to an object, or none. */
class ObjectRef {
 public:
  ObjectRef() : object_(nullptr) {}
  /** Takes over the reference. */
  explicit ObjectRef(TVMFFIObjectHandle object) : object_(object) {}
  ObjectRef(const ObjectRef& other) : object_(other.object_) {
    if (object_) TVMFFIObjectIncRef(object_);
  }
  ObjectRef& operator=(ObjectRef other) {
    TVMFFIObjectHandle mine = object_;
    object_ = other.object_;
    other.object_ = mine;
    return *this;
  }
  ~ObjectRef() {
    if (object_) TVMFFIObjectDecRef(object_);
  }
  TVMFFIObjectHandle handle() const { return object_; }
  Any any() const {
    if (object_) TVMFFIObjectIncRef(object_);
    return Any::Owning(object_);
  }

 private:
  TVMFFIObjectHandle object_;
};

class Function : public ObjectRef {
  using ObjectRef::ObjectRef;
};
template <typename Signature>
class TypedFunction : public Function {
  using Function::Function;
};
template <typename Element>
class Array : public ObjectRef {
  using ObjectRef::ObjectRef;
};

/** A reference that may be none; other values are as wide as a value, with None for none. */
template <typename T, typename = void>
class Optional : public T {
  using T::T;
};
template <>
class Optional<String, void> : public Any {
 public:
  Optional() {}
  Optional(const String& text) : Any(text) {}
};

/** What is thrown. */
class Error : public ObjectRef, public std::exception {
 public:
  Error(const char* kind, const char* message) : ObjectRef(Make(kind, message)) {}
  /** What a call of the library has raised. */
  static Error Raised() {
    TVMFFIObjectHandle error = nullptr;
    TVMFFIErrorMoveFromRaised(&error);
    return Error(error);
  }
  std::string kind() const { return std::string(cell()->kind.data, cell()->kind.size); }
  std::string message() const { return std::string(cell()->message.data, cell()->message.size); }
  const char* what() const noexcept override { return cell()->message.data; }

 private:
  explicit Error(TVMFFIObjectHandle error) : ObjectRef(error) {}
  static TVMFFIObjectHandle Make(const std::string& kind, const std::string& message) {
    TVMFFIByteArray texts[] = {{kind.data(), kind.size()}, {message.data(), message.size()}, {nullptr, 0}};
    TVMFFIObjectHandle error = nullptr;
    if (TVMFFIErrorCreate(&texts[0], &texts[1], &texts[2], &error) != 0) abort();
    return error;
  }
  const TVMFFIErrorCell* cell() const {
    return reinterpret_cast<const TVMFFIErrorCell*>(static_cast<TVMFFIObject*>(handle()) + 1);
  }
};

/** Calls a function object; what it raises is thrown. */
inline Any Call(TVMFFIObjectHandle function, std::initializer_list<Any> arguments) {
  Any result;
  TVMFFIAny* values = reinterpret_cast<TVMFFIAny*>(const_cast<Any*>(arguments.begin()));
  if (TVMFFIFunctionCall(function, values, static_cast<int32_t>(arguments.size()), result.slot()) != 0) {
    throw Error::Raised();
  }
  return result;
}

/** Calls a global function; where there is none of that name, an Error says so. */
inline Any CallGlobal(const std::string& name, std::initializer_list<Any> arguments) {
  TVMFFIByteArray bytes = {name.data(), name.size()};
  TVMFFIObjectHandle function = nullptr;
  if (TVMFFIFunctionGetGlobal(&bytes, &function) != 0) throw Error::Raised();
  if (!function) throw Error("LookupError", ("there is no global function " + name).c_str());
  ObjectRef held(function);
  return Call(function, arguments);
}

/** The header of every object. */
class Object {
 public:
  TVMFFIObject header = {};
};

class Module;

/** A module: a table of methods in front of the header, and two containers behind it. */
class ModuleObj : public Object {
 public:
  virtual const char* kind() const = 0;
  virtual int GetPropertyMask() const { return 0; }
  virtual Optional<Function> GetFunction(const String& name) = 0;
  virtual bool ImplementsFunction(const String& name) { return GetFunction(name).handle() != nullptr; }
  virtual Optional<String> GetFunctionDoc(const String&) { return Optional<String>(); }
  virtual Optional<String> GetFunctionMetadata(const String&) { return Optional<String>(); }
  virtual void WriteToFile(const String&, const String&) const { throw Error("RuntimeError", "cannot be written"); }
  virtual Array<String> GetWriteFormats() const { return Array<String>(NewContainer("ffi.Array")); }
  virtual Bytes SaveToBytes() const { throw Error("RuntimeError", "cannot be saved"); }
  virtual String InspectSource(const String&) const { return String(); }
  virtual void ImportModule(const Module& other);
  virtual void ClearImports();

  Optional<Function> GetFunction(const String& name, bool query_imports);
  bool ImplementsFunction(const String& name, bool query_imports);
  Optional<String> GetFunctionDoc(const String& name, bool query_imports);
  Optional<String> GetFunctionMetadata(const String& name, bool query_imports);

  static TVMFFIObjectHandle NewContainer(const char* name) {
    Any container = CallGlobal(name, {});
    TVMFFIObjectIncRef(container.get().v_obj);
    return container.get().v_obj;
  }

 protected:
  ObjectRef imports_{NewContainer("ffi.Array")};
  ObjectRef looked_up_{NewContainer("ffi.Map")};
};

class Module : public ObjectRef {
 public:
  using ObjectRef::ObjectRef;
  ModuleObj* operator->() const { return static_cast<ModuleObj*>(reinterpret_cast<Object*>(handle())); }
  static Module LoadFromFile(const String& path);
  static void VisitContextSymbols(const TypedFunction<void(String, void*)>& callback);

  /** Makes a module of a class. */
  template <typename Class, typename... Arguments>
  static Module Make(Arguments... arguments) {
    Class* module = new Class(arguments...);
    module->header.combined_ref_count = (uint64_t{1} << 32) | 1;
    module->header.type_index = kTVMFFIModule;
    module->header.deleter = &Delete<Class>;
    return Module(static_cast<TVMFFIObjectHandle>(&module->header));
  }

 private:
  template <typename Class>
  static void Delete(void* header, int flags) {
    Class* module = static_cast<Class*>(reinterpret_cast<Object*>(header));
    if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) module->~Class();
    if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) operator delete(static_cast<void*>(module));
  }
};

/** A number that may be missing, as it is since 0.1.13: a value. */
template <>
class Optional<int, void> : public Any {
 public:
  Optional() {}
  Optional(int number) : Any(Any::Of(number)) {}
};

namespace json {
Any Parse(const String& text, String* message);
String Stringify(const Any& value, const Optional<int>& indent);
}

Any ToJSONGraph(const Any& value, const Any& metadata);
Any FromJSONGraph(const Any& value);

/** A pair of access paths, and an access path, as far as they are looked at here. */
class AccessPathPair : public ObjectRef {
  using ObjectRef::ObjectRef;
};
class AccessPath : public ObjectRef {
  using ObjectRef::ObjectRef;
};

class StructuralEqual {
 public:
  static bool Equal(const Any& left, const Any& right, bool map_free_vars, bool skip_tensor_content);
  static Optional<AccessPathPair> GetFirstMismatch(const Any& left, const Any& right, bool map_free_vars,
                                                   bool skip_tensor_content);
};
class StructuralHash {
 public:
  static uint64_t Hash(const Any& value, bool map_free_vars, bool skip_tensor_content);
};

Any DeepCopy(const Any& value);
String ReprPrint(const Any& value);
int64_t RecursiveHash(const Any& value);
bool RecursiveEq(const Any& left, const Any& right);
bool RecursiveLt(const Any& left, const Any& right);
bool RecursiveLe(const Any& left, const Any& right);
bool RecursiveGt(const Any& left, const Any& right);
bool RecursiveGe(const Any& left, const Any& right);

class VisitErrorContext : public ObjectRef {
  using ObjectRef::ObjectRef;

 public:
  static Array<AccessPath> FindAccessPaths(const ObjectRef& root, const VisitErrorContext& context,
                                           bool allow_prefix_match);
};

}  // namespace ffi
}  // namespace tvm

#endif
