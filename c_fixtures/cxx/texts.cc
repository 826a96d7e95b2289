/* Texts in every form that C++ clients have, given to the library's C++ functions. */
#include "outcomes.hpp"
#include "samples.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace tvm::ffi;

namespace {

std::string Written(const Any& value) { return String::TextOf(CallGlobal("ffi.json.Stringify", {value, Any()})); }

/** A String object that was made of a std::string and keeps it: a short text lies within the object, but not right behind its head. */
Any StandardTextObject(const std::string& text) {
  struct Cell {
    TVMFFIObject header;
    TVMFFIByteArray content;
    std::string data;
  };
  Cell* cell = NewTextCell<Cell>();
  cell->data = text;
  cell->content = TVMFFIByteArray{cell->data.data(), cell->data.size()};
  return Any::Owning(&cell->header);
}

/** A String object of a client's that has another text right behind its head, of the same length, where the library has a String's own. */
Any TextObjectWithAnother(const char* text) {
  struct Cell {
    TVMFFIObject header;
    TVMFFIByteArray content;
    char another[200];
  };
  Cell* cell = NewTextCell<Cell>();
  cell->content = text_of(text);
  for (size_t at = 0; at + 1 < sizeof(cell->another); ++at) cell->another[at] = at < cell->content.size ? '7' : '\0';
  return Any::Owning(&cell->header);
}

/** A text in each of its forms; what is no object is what the library makes of a short one. It has to outlive them. */
std::vector<std::pair<const char*, String>> FormsOf(const char* text) {
  std::vector<std::pair<const char*, String>> forms = {{"the library's own", String(text)}};
  auto add = [&](const char* form, const Any& value) {
    String of;
    static_cast<Any&>(of) = value;
    forms.push_back({form, of});
  };
  add("a String object with its text elsewhere", TextObject(text));
  add("a String object with a std::string in it", StandardTextObject(text));
  add("a String object with another text behind its head", TextObjectWithAnother(text));
  return forms;
}

const char* const documents[] = {"7", "null", "1234567890", "\"small\"", "\"a text that is longer than a word\"",
                                 "[1, [2, {\"key\": [null]}], \"three\"]", "{\"a\": 1, \"b\": {\"c\": []}}"};
const char* const no_documents[] = {"", "[1,", "nul", "{\"a\" 1} and what follows it"};

/** A module whose methods answer with a name in the form that they are asked to, and to that name. */
struct Named : ModuleObj {
  explicit Named(const char* name) : name(name) {}
  const char* kind() const override { return "verify_named"; }
  Optional<Function> GetFunction(const String& asked) override {
    if (asked.text() != name) return Optional<Function>();
    Any function = RefusingFunction();
    TVMFFIObjectIncRef(function.get().v_obj);
    return Optional<Function>(function.get().v_obj);
  }
  Optional<String> GetFunctionDoc(const String& asked) override {
    return asked.text() == name ? Optional<String>(asked) : Optional<String>();
  }
  Optional<String> GetFunctionMetadata(const String& asked) override {
    return asked.text() == name ? Optional<String>(asked) : Optional<String>();
  }

  std::string name;
};

}  // namespace

/** json::Parse answers what the global function ffi.json.Parse answers for a text in whatever form, with room for a message and without. */
CXX_CALLER(json_parse_of_any_form) {
  CLAUSE(t, "CXX-0002");
  NEEDS(t, "_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_");
  for (const char* text : documents) {
    std::string expected = Written(CallGlobal("ffi.json.Parse", {String(text)}));
    for (const auto& form : FormsOf(text)) {
      for (const char* before : {"", "unchanged", "a message of before, which is not short"}) {
        String message(before);
        CHECK_TEXT(t, form.first, Written(json::Parse(form.second, &message)), expected);
      }
      CHECK_TEXT(t, form.first, Written(json::Parse(form.second, nullptr)), expected);
      CHECK_TEXT(t, "the text that was read", form.second.text(), text);
    }
  }
  return 0;
}

/** json::Parse refuses what is no JSON in whatever form the text is, with room for a message and without, be that room a String of a client's. */
CXX_CALLER(json_parse_refuses_any_form) {
  CLAUSE(t, "CXX-0003");
  NEEDS(t, "_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_");
  for (const char* text : no_documents) {
    for (const auto& form : FormsOf(text)) {
      CHECK_TEXT(t, form.first, TextOutcome([&] { json::Parse(form.second, nullptr); return "a value"; }), "an Error");
      for (auto& room : FormsOf("what was there before")) {
        CHECK_TEXT(t, form.first, Thrown([&] { json::Parse(form.second, &room.second); }), "nothing");
        CHECK_TRUE(t, !room.second.text().empty());
      }
    }
  }
  return 0;
}

/** ToJSONGraph takes metadata, and FromJSONGraph a graph, in which texts have whatever form. */
CXX_CALLER(json_graph_of_any_form) {
  CLAUSE(t, "CXX-0005");
  NEEDS(t, "_ZN3tvm3ffi11ToJSONGraphERKNS0_3AnyES3_");
  NEEDS(t, "_ZN3tvm3ffi13FromJSONGraphERKNS0_3AnyE");
  for (const char* text : {"", "a", "eight_by", "a text that is longer than a word"}) {
    Any expected = ToJSONGraph(String(text), String(text));
    for (const auto& form : FormsOf(text)) {
      Any graph = ToJSONGraph(form.second, form.second);
      CHECK_TEXT(t, form.first, Written(graph), Written(expected));
      CHECK_TEXT(t, form.first, String::TextOf(FromJSONGraph(graph)), text);
    }
  }
  /* A graph that a client has put together itself, with its keys and its values. */
  for (const auto& type : FormsOf("ffi.String")) {
    for (const auto& data : FormsOf("a text that is longer than a word")) {
      Any key = TextObject("type"), node = CallGlobal("ffi.Map", {key, type.second, StandardTextObject("data"), data.second});
      Any graph = CallGlobal("ffi.Map", {StandardTextObject("root_index"), Any::Of(0), TextObject("nodes"), List({node})});
      CHECK_TEXT(t, data.first, String::TextOf(FromJSONGraph(graph)), "a text that is longer than a word");
    }
  }
  return 0;
}

/** The functions of ModuleObj take the name of a function in whatever form, and find it in imports. */
CXX_CALLER(module_names_of_any_form) {
  CLAUSE(t, "CXX-0014");
  for (const char* name : {"leaf", "a function with a name of some length"}) {
    Module root = Module::Make<Named>("root"), leaf = Module::Make<Named>(name);
    CALL(t, root->ImportModule(leaf));
    for (const auto& form : FormsOf(name)) {
      CHECK_NOT_NULL(t, form.first, root->GetFunction(form.second, true).handle());
      CHECK_EQ_PTR(t, form.first, root->GetFunction(form.second, false).handle(), NULL);
      CHECK_TRUE(t, root->ImplementsFunction(form.second, true));
      CHECK_TRUE(t, !root->ImplementsFunction(form.second, false));
      CHECK_TEXT(t, form.first, String::TextOf(root->GetFunctionDoc(form.second, true)), name);
      CHECK_TEXT(t, form.first, String::TextOf(root->GetFunctionMetadata(form.second, true)), name);
    }
    CALL(t, root->ClearImports());
  }
  return 0;
}

/** Module::LoadFromFile takes the path of what it cannot load in whatever form. */
CXX_CALLER(module_paths_of_any_form) {
  CLAUSE(t, "CXX-0013");
  NEEDS(t, "_ZN3tvm3ffi6Module12LoadFromFileERKNS0_6StringE");
  for (const char* path : {"a.b", "no extension", "/no/such/folder/library.so"}) {
    std::string expected = KindThrown([&] { CallGlobal("ffi.ModuleLoadFromFile", {String(path)}); });
    for (const auto& form : FormsOf(path)) {
      CHECK_TEXT(t, form.first, KindThrown([&] { Module::LoadFromFile(form.second); }), expected);
    }
  }
  return 0;
}
