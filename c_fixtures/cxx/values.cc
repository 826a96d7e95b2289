/* What C++ clients call the library's functions with and get: JSON, copies, comparisons, hashes. */
#include "outcomes.hpp"
#include "samples.hpp"

#include <functional>
#include <optional>

using namespace tvm::ffi;

namespace {

std::string Written(const Any& value) { return String::TextOf(CallGlobal("ffi.json.Stringify", {value, Any()})); }

uint64_t CountsOf(const Any& value) { return counts_of(value.get().v_obj); }

/** What a C++ function is asked of a value, and of another that comparisons take. */
struct Question {
  const char* name;
  const char* symbol;
  std::function<void(const Any&, const Any&)> ask;
};

/** A question for each C++ function that looks into any value. */
std::vector<Question> Questions() {
  return {
      {"json::Stringify", "_ZN3tvm3ffi4json9StringifyERKNS0_3AnyERKNS0_8OptionalIivEE",
       [](const Any& value, const Any&) { json::Stringify(value, Optional<int>()); }},
      {"ToJSONGraph", "_ZN3tvm3ffi11ToJSONGraphERKNS0_3AnyES3_",
       [](const Any& value, const Any&) { ToJSONGraph(value, Any()); }},
      {"StructuralEqual::Equal", "_ZN3tvm3ffi15StructuralEqual5EqualERKNS0_3AnyES4_bb",
       [](const Any& value, const Any& other) { StructuralEqual::Equal(value, other, false, false); }},
      {"StructuralEqual::GetFirstMismatch", "_ZN3tvm3ffi15StructuralEqual16GetFirstMismatchERKNS0_3AnyES4_bb",
       [](const Any& value, const Any& other) { StructuralEqual::GetFirstMismatch(value, other, false, false); }},
      {"StructuralHash::Hash", "_ZN3tvm3ffi14StructuralHash4HashERKNS0_3AnyEbb",
       [](const Any& value, const Any&) { StructuralHash::Hash(value, false, false); }},
      {"DeepCopy", "_ZN3tvm3ffi8DeepCopyERKNS0_3AnyE", [](const Any& value, const Any&) { DeepCopy(value); }},
      {"ReprPrint", "_ZN3tvm3ffi9ReprPrintERKNS0_3AnyE", [](const Any& value, const Any&) { ReprPrint(value); }},
      {"RecursiveHash", "_ZN3tvm3ffi13RecursiveHashERKNS0_3AnyE",
       [](const Any& value, const Any&) { RecursiveHash(value); }},
      {"RecursiveEq", "_ZN3tvm3ffi11RecursiveEqERKNS0_3AnyES3_",
       [](const Any& value, const Any& other) { RecursiveEq(value, other); }},
      {"RecursiveLt", "_ZN3tvm3ffi11RecursiveLtERKNS0_3AnyES3_",
       [](const Any& value, const Any& other) { RecursiveLt(value, other); }},
      {"RecursiveLe", "_ZN3tvm3ffi11RecursiveLeERKNS0_3AnyES3_",
       [](const Any& value, const Any& other) { RecursiveLe(value, other); }},
      {"RecursiveGt", "_ZN3tvm3ffi11RecursiveGtERKNS0_3AnyES3_",
       [](const Any& value, const Any& other) { RecursiveGt(value, other); }},
      {"RecursiveGe", "_ZN3tvm3ffi11RecursiveGeERKNS0_3AnyES3_",
       [](const Any& value, const Any& other) { RecursiveGe(value, other); }},
  };
}

}  // namespace

/** json::Parse answers for a text what the global function ffi.json.Parse answers. */
CXX_CALLER(json_parse) {
  CLAUSE(t, "CXX-0002");
  NEEDS(t, "_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_");
  const char* texts[] = {"null", "true", "-7", "2.5", "\"\"", "\"small\"", "\"a text that is longer than a word\"", "[]",
                         "[1, [2, {\"key\": [null]}], \"three\"]", "{\"a\": 1, \"b\": {\"c\": []}}"};
  for (const char* text : texts) {
    String given(text), message("unchanged");
    std::string expected = Written(CallGlobal("ffi.json.Parse", {given}));
    CHECK_TEXT(t, text, Written(json::Parse(given, nullptr)), expected);
    CHECK_TEXT(t, text, Written(json::Parse(given, &message)), expected);
  }
  return 0;
}

/**
 * Of a text that is no JSON, json::Parse throws an Error; given room for a message, it throws nothing and writes one
 * there.
 */
CXX_CALLER(json_parse_refuses) {
  CLAUSE(t, "CXX-0003");
  NEEDS(t, "_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_");
  for (const char* text : {"", "[1,", "{\"a\" 1}", "\"open", "nul", "1 2"}) {
    String given(text), message;
    CHECK_TEXT(t, text, TextOutcome([&] { json::Parse(given, nullptr); return "a value"; }), "an Error");
    Any value = Any::Of(7);
    CHECK_TEXT(t, text, Thrown([&] { value = json::Parse(given, &message); }), "nothing");
    CHECK_TRUE(t, !message.text().empty());
  }
  CLAUSE(t, "JSN-0038");
  String no_json("[1,");
  CHECK_TEXT(t, "kind thrown for no JSON", KindThrown([&] { json::Parse(no_json, nullptr); }), "ValueError");
  return 0;
}

/** Expects `stringify`, of a value and perhaps an indent, to write what the global function ffi.json.Stringify writes, or to throw what it raises. */
template <typename Stringify>
int WritesAsByName(struct caller* t, Stringify stringify) {
  Any document = Document();
  CHECK_TEXT(t, "text without an indent", stringify(document, std::nullopt), Written(document));
  for (int indent : {0, 1, 4, 33}) {
    Any expected = CallGlobal("ffi.json.Stringify", {document, Any::Of(indent)});
    CHECK_TEXT(t, "text with an indent", stringify(document, indent), String::TextOf(expected));
  }
  for (const Any& value : Samples()) {
    auto written = [&] { return stringify(value, std::nullopt); };
    CHECK_TEXT(t, "text or error", TextOutcome(written), TextOutcome([&] { return Written(value); }));
  }
  /* An escape at each place of texts of up to twenty bytes. */
  for (size_t n = 0; n < 400; ++n) {
    std::string content(20 - n / 20, 'a');
    content[n % 20 % content.size()] = "\n\"\\\x01\x1f"[n % 5];
    CHECK_TEXT(t, "escapes", stringify(Text(content.c_str()), std::nullopt), Written(Text(content.c_str())));
  }
  return 0;
}

/**
 * json::Stringify writes what the global function ffi.json.Stringify writes, with and without an indent by reference.
 */
CXX_CALLER(json_stringify) {
  CLAUSE(t, "CXX-0004");
  NEEDS(t, "_ZN3tvm3ffi4json9StringifyERKNS0_3AnyERKNS0_8OptionalIivEE");
  auto stringify = [](const Any& value, std::optional<int> indent) {
    return json::Stringify(value, indent ? Optional<int>(*indent) : Optional<int>()).text();
  };
  if (int failed = WritesAsByName(t, stringify)) return failed;
  CLAUSE(t, "JSN-0038");
  Any no_json = CallGlobal("ffi.Shape", {Any::Of(1)});
  CHECK_TEXT(t, "kind thrown for a Shape", KindThrown([&] { json::Stringify(no_json, Optional<int>()); }), "ValueError");
  return 0;
}

/** An `Optional<int>` as headers before 0.1.13 have it: its copies are made by a function, so it is passed by its address. */
struct FormerOptionalInt {
  explicit FormerOptionalInt(std::optional<int> number) : number(number) {}
  FormerOptionalInt(const FormerOptionalInt& other) : number(other.number) {}
  std::optional<int> number;
};

/**
 * Where json::Stringify is there as headers before 0.1.13 declare it, with an indent by value, it writes what the global function
 * ffi.json.Stringify writes.
 */
CXX_CALLER(json_stringify_as_before) {
  CLAUSE(t, "CXX-0023");
  void* symbol = dlsym(RTLD_DEFAULT, "_ZN3tvm3ffi4json9StringifyERKNS0_3AnyENS0_8OptionalIivEE");
  if (symbol == nullptr) return 0;
  auto stringify = reinterpret_cast<String (*)(const Any&, FormerOptionalInt)>(symbol);
  return WritesAsByName(t, [&](const Any& value, std::optional<int> indent) {
    return stringify(value, FormerOptionalInt(indent)).text();
  });
}

/** ToJSONGraph and FromJSONGraph make of a value what the global functions of these names make, metadata included. */
CXX_CALLER(json_graph) {
  CLAUSE(t, "CXX-0005");
  NEEDS(t, "_ZN3tvm3ffi11ToJSONGraphERKNS0_3AnyES3_");
  NEEDS(t, "_ZN3tvm3ffi13FromJSONGraphERKNS0_3AnyE");
  Any document = Document(), metadata = CallGlobal("ffi.Map", {Text("made by"), Text("a client")});
  for (const Any& about : {Any(), metadata}) {
    Any graph = ToJSONGraph(document, about);
    CHECK_TEXT(t, "the graph", Written(graph), Written(CallGlobal("ffi.ToJSONGraph", {document, about})));
    CHECK_TEXT(t, "the value of the graph", Written(FromJSONGraph(graph)), Written(document));
  }
  CHECK_TRUE(t, KindThrown([&] { FromJSONGraph(List({})); }) != "nothing");
  return 0;
}

/**
 * StructuralEqual::Equal tells values apart just where the global function GetFirstStructuralMismatch does, and
 * StructuralHash::Hash answers what the global function does, with both flags.
 */
CXX_CALLER(structural) {
  CLAUSE(t, "CXX-0006");
  NEEDS(t, "_ZN3tvm3ffi15StructuralEqual5EqualERKNS0_3AnyES4_bb");
  NEEDS(t, "_ZN3tvm3ffi14StructuralHash4HashERKNS0_3AnyEbb");
  std::vector<Any> values = Samples(), others = Samples();
  for (const Any& left : values) {
    for (bool map : {false, true}) {
      for (bool skip : {false, true}) {
        auto hash_by_name = [&] { return CallGlobal("ffi.StructuralHash", {left, Any::Of(map), Any::Of(skip)}).get().v_int64; };
        auto hash = [&] { return static_cast<int64_t>(StructuralHash::Hash(left, map, skip)); };
        CHECK_TEXT(t, "hash", Outcome(hash), Outcome(hash_by_name));
        for (const Any& right : others) {
          if ((&left - values.data() + (&right - others.data()) + map + skip) % 2) continue;  // Two of the four pairs of flags.
          auto no_mismatch = [&] {
            Any mismatch = CallGlobal("ffi.GetFirstStructuralMismatch", {left, right, Any::Of(map), Any::Of(skip)});
            return mismatch.get().type_index == kTVMFFINone;
          };
          auto equal = [&] { return StructuralEqual::Equal(left, right, map, skip); };
          CHECK_TEXT(t, "equality", Outcome(equal), Outcome(no_mismatch));
        }
      }
    }
  }
  return 0;
}

/**
 * StructuralEqual::GetFirstMismatch answers a reference to no object for equal values, otherwise the pair of paths
 * that the global function answers.
 */
CXX_CALLER(structural_mismatch) {
  CLAUSE(t, "CXX-0007");
  NEEDS(t, "_ZN3tvm3ffi15StructuralEqual16GetFirstMismatchERKNS0_3AnyES4_bb");
  // What the right list lacks makes two different paths.
  Any left = List({Any::Of(1), List({Any::Of(2), Text("text")})}), right = List({Any::Of(1), List({Any::Of(2)})});
  CHECK_EQ_PTR(t, "mismatch of a value and itself", StructuralEqual::GetFirstMismatch(left, left, false, false).handle(), NULL);
  ObjectRef pair = StructuralEqual::GetFirstMismatch(left, right, false, false);
  CHECK_NOT_NULL(t, "mismatch of two values", pair.handle());
  Any expected = CallGlobal("ffi.GetFirstStructuralMismatch", {left, right, Any::Of(false), Any::Of(false)});
  CHECK_TRUE(t, SamePaths(pair.any(), expected));
  return 0;
}

/** What GetFirstMismatch answers, told by how it compares with what the global function answers. */
std::string MismatchOutcome(const Any& left, const Any& right, bool map, bool skip) {
  Any expected;
  auto by_name = [&] { expected = CallGlobal("ffi.GetFirstStructuralMismatch", {left, right, Any::Of(map), Any::Of(skip)}); };
  const bool fails = KindThrown(by_name) != "nothing";
  std::string outcome = TextOutcome([&]() -> std::string {
    ObjectRef pair = StructuralEqual::GetFirstMismatch(left, right, map, skip);
    if (fails) return "where an Error was expected";
    if (pair.handle() == nullptr) return expected.get().type_index == kTVMFFINone ? "of the global function" : "no pair";
    return SamePaths(pair.any(), expected) ? "of the global function" : "another pair";
  });
  return fails && outcome == "an Error" ? "the answer of the global function" : outcome;
}

/**
 * StructuralEqual::GetFirstMismatch answers what the global function answers for values of every kind, with both flags, be they the
 * whole or within a container, or within one that is itself within another.
 */
CXX_CALLER(structural_mismatch_of_every_kind) {
  CLAUSE(t, "CXX-0007");
  NEEDS(t, "_ZN3tvm3ffi15StructuralEqual16GetFirstMismatchERKNS0_3AnyES4_bb");
  const std::string expected = "the answer of the global function";
  std::vector<Any> values = Samples(), others = Samples();
  // Neighbours are often nearly alike, and what is further off is of another kind.
  for (size_t at = 0; at < values.size(); ++at) {
    for (size_t further : {0, 1, 2, 11}) {
      const Any &left = values[at], &right = others[(at + further) % others.size()];
      for (bool map : {false, true}) {
        for (bool skip : {false, true}) {
          CHECK_TEXT(t, "mismatch of two values", MismatchOutcome(left, right, map, skip), expected);
        }
      }
      auto around = [](const Any& value) {
        return std::vector<Any>{List({Any::Of(1), value}), CallGlobal("ffi.Map", {Text("key"), value}),
                                Container("ffi.List", {value}), Container("ffi.Dict", {Text("key"), value})};
      };
      std::vector<Any> lefts = around(left), rights = around(right);
      for (size_t each = 0; each < lefts.size(); ++each) {
        CHECK_TEXT(t, "mismatch within containers", MismatchOutcome(lefts[each], rights[each], false, false), expected);
        Any deep_left = List({Any::Of(1), lefts[each]}), deep_right = List({Any::Of(1), rights[each]});
        CHECK_TEXT(t, "mismatch deep within containers", MismatchOutcome(deep_left, deep_right, false, false), expected);
        CHECK_TEXT(t, "mismatch of unlike depths", MismatchOutcome(lefts[each], deep_right, false, false), expected);
      }
    }
  }
  return 0;
}

/**
 * What is passed to the C++ functions by reference keeps its counts, and what they answer belongs to the caller alone.
 */
CXX_CALLER(ownership) {
  CLAUSE(t, "CXX-0008");
  NEEDS(t, "_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_");
  String text("[\"a text that is longer than a word\"]"), no_json("[\"a text that is longer than a word\"");
  Any value = List({text, Any::Of(1)});
  uint64_t text_before = CountsOf(text), no_json_before = CountsOf(no_json), value_before = CountsOf(value);
  for (int round = 0; round < 3; ++round) {
    Any parsed = json::Parse(text, nullptr), graph = ToJSONGraph(value, Any()), back = FromJSONGraph(graph);
    CHECK_EQ_INT(t, "counts of what json::Parse answers", CountsOf(parsed), (uint64_t{1} << 32) | 1);
    CHECK_EQ_INT(t, "counts of what FromJSONGraph answers", CountsOf(back), (uint64_t{1} << 32) | 1);
    StructuralEqual::Equal(value, back, false, false);
    StructuralEqual::GetFirstMismatch(value, parsed, false, false);
    StructuralHash::Hash(value, false, false);
    Thrown([&] { json::Parse(no_json, nullptr); });
    Thrown([&] { FromJSONGraph(value); });
  }
  CHECK_EQ_INT(t, "counts of the text", CountsOf(text), text_before);
  CHECK_EQ_INT(t, "counts of the text that is no JSON", CountsOf(no_json), no_json_before);
  CHECK_EQ_INT(t, "counts of the value", CountsOf(value), value_before);
  return 0;
}

/**
 * What is passed to the C++ functions by reference keeps its counts when they throw, too, and so does all that lies in it.
 */
CXX_CALLER(ownership_when_thrown) {
  CLAUSE(t, "CXX-0008");
  NEEDS(t, "_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_");
  std::vector<Question> questions = Questions();
  Any metadata = CallGlobal("ffi.Map", {Text("made by"), Text("a client of a long name")});
  questions.push_back({"ToJSONGraph with metadata", "_ZN3tvm3ffi11ToJSONGraphERKNS0_3AnyES3_",
                       [&](const Any& value, const Any&) { ToJSONGraph(value, metadata); }});
  questions.push_back({"json::Stringify with an indent", "_ZN3tvm3ffi4json9StringifyERKNS0_3AnyERKNS0_8OptionalIivEE",
                       [](const Any& value, const Any&) { json::Stringify(value, Optional<int>(2)); }});
  questions.push_back({"FromJSONGraph", "_ZN3tvm3ffi13FromJSONGraphERKNS0_3AnyE",
                       [](const Any& value, const Any&) { FromJSONGraph(value); }});
  // What some functions refuse: a function, and an object whose hooks fail.
  for (const Any& bad : {RefusingFunction(), RefusingObject()}) {
    Any text = Text("a text that is longer than a word");
    // In every container, behind what can be looked into and beside it.
    auto around = [&] {
      Any list = Container("ffi.List", {text, bad}), array = List({text, bad, text, bad});
      return std::vector<Any>{bad,
                              list,
                              array,
                              CallGlobal("ffi.Map", {text, bad}),
                              Container("ffi.Dict", {text, bad}),
                              CallGlobal("ffi.Map", {text, array, Text("another key of some length"), list}),
                              List({list, array, CallGlobal("ffi.Map", {text, List({bad})})})};
    };
    std::vector<Any> values = around(), others = around(), held = {text, metadata};
    held.insert(held.end(), values.begin(), values.end());
    held.insert(held.end(), others.begin(), others.end());
    std::vector<uint64_t> before;
    for (const Any& each : held) before.push_back(each.get().v_obj ? CountsOf(each) : 0);
    for (const Question& question : questions) {
      if (dlsym(RTLD_DEFAULT, question.symbol) == nullptr) continue;
      for (size_t i = 0; i < values.size(); ++i) {
        t->enter(t->context, question.name);
        // Whether it throws is for other clauses to say.
        std::string thrown = Thrown([&] { question.ask(values[i], others[i]); });
        t->leave(t->context);
        // What is still raised may hold what it is about, and is another clause's.
        TVMFFIObjectHandle raised = nullptr;
        TVMFFIErrorMoveFromRaised(&raised);
        if (raised != nullptr) TVMFFIObjectDecRef(raised);
        std::string what = std::string("counts after ") + question.name + " has thrown " + thrown;
        for (size_t j = 0; j < held.size(); ++j) {
          if (held[j].get().v_obj != nullptr) CHECK_EQ_INT(t, what.c_str(), CountsOf(held[j]), before[j]);
        }
      }
    }
  }
  return 0;
}

/**
 * What is in the room for a message stays there or is given up: json::Parse writes over no text that it leaves without an owner,
 * whether it succeeds or fails, and whatever was there.
 */
CXX_CALLER(room_for_a_message) {
  CLAUSE(t, "CXX-0008");
  NEEDS(t, "_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_");
  String json("[1]"), no_json("[1,");
  for (const String& text : {String("a text that is longer than a word"), String("short"), String()}) {
    bool is_object = text.get().type_index == kTVMFFIStr;
    uint64_t before = is_object ? CountsOf(text) : 0;
    for (const String& input : {json, no_json, no_json, json, no_json}) {
      String room(text);
      json::Parse(input, &room);
      CHECK_TRUE(t, room.get().type_index == kTVMFFIStr || room.get().type_index == kTVMFFISmallStr);
      if (is_object) {
        bool kept = room.get().v_obj == text.get().v_obj;
        CHECK_EQ_INT(t, "counts of the text that was there", CountsOf(text), before + (kept ? 1 : 0));
      }
    }
  }
  return 0;
}

/**
 * An Error that the library throws is caught as an Error, with kind and message, and as a std::exception that tells
 * the message.
 */
CXX_CALLER(thrown_error) {
  CLAUSE(t, "CXX-0009");
  NEEDS(t, "_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_");
  String no_json("[1,");
  std::string as_error, as_exception;
  try {
    json::Parse(no_json, nullptr);
  } catch (const Error& error) {
    as_error = error.message();
    CHECK_TRUE(t, !error.kind().empty());
  }
  try {
    json::Parse(no_json, nullptr);
  } catch (const std::exception& exception) {
    as_exception = exception.what();
  }
  CHECK_TRUE(t, !as_error.empty());
  CHECK_TRUE(t, as_exception.find(as_error) != std::string::npos);
  TVMFFIObjectHandle raised = NULL;
  TVMFFIErrorMoveFromRaised(&raised);
  CHECK_EQ_PTR(t, "the raised error after an exception", raised, NULL);
  return 0;
}

/**
 * A function of the library that can be called as C++ does, through cpp_call, does what it does through safe_call: it answers the
 * same, and what it raises there it throws here as an Error, with nothing raised.
 */
CXX_CALLER(cpp_call) {
  CLAUSE(t, "FUN-0027");
  NEEDS(t, "_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_");
  using CppCall = void (*)(const void*, const TVMFFIAny*, int32_t, TVMFFIAny*);
  Any list = List({Any::Of(1), Text("a text that is longer than a word")});
  const struct {
    const char* name;
    std::initializer_list<Any> arguments;
  } calls[] = {{"ffi.Array", {Any::Of(7), list}},       {"ffi.ArraySize", {list}},       {"ffi.ArrayGetItem", {list, Any::Of(1)}},
               {"ffi.json.Parse", {Text("[1, 2.5]")}},  {"ffi.Array", {}},               {"ffi.ArrayGetItem", {list, Any::Of(2)}},
               {"ffi.ArrayGetItem", {list}},            {"ffi.ArraySize", {Any::Of(1)}}, {"ffi.json.Parse", {Text("[1,")}}};
  for (const auto& call : calls) {
    TVMFFIByteArray name = text_of(call.name);
    TVMFFIObjectHandle found = nullptr;
    CHECK_OK(t, TVMFFIFunctionGetGlobal(&name, &found));
    CHECK_NOT_NULL(t, call.name, found);
    ObjectRef function(found);
    void* cpp_call = reinterpret_cast<TVMFFIFunctionCell*>(static_cast<TVMFFIObject*>(found) + 1)->cpp_call;
    // There need not be one.
    if (cpp_call == nullptr) continue;
    Any expected, answer;
    std::string raised = KindThrown([&] { expected = Call(found, call.arguments); });
    const TVMFFIAny* arguments = reinterpret_cast<const TVMFFIAny*>(call.arguments.begin());
    std::string thrown = KindThrown([&] {
      t->enter(t->context, call.name);
      reinterpret_cast<CppCall>(cpp_call)(found, arguments, static_cast<int32_t>(call.arguments.size()), answer.slot());
    });
    CHECK_TEXT(t, call.name, thrown, raised);
    CHECK_TRUE(t, thrown != "nothing" || StructuralEqual::Equal(expected, answer, false, false));
    TVMFFIObjectHandle left = nullptr;
    TVMFFIErrorMoveFromRaised(&left);
    CHECK_EQ_PTR(t, "the raised error after cpp_call", left, NULL);
  }
  return 0;
}

/** DeepCopy answers a value of the same content that shares nothing that can be changed. */
CXX_CALLER(deep_copy) {
  CLAUSE(t, "CXX-0010");
  NEEDS(t, "_ZN3tvm3ffi8DeepCopyERKNS0_3AnyE");
  Any list = CallGlobal("ffi.List", {Any::Of(1), Text("text")}), value = List({list, Any::Of(2)});
  Any copy = DeepCopy(value);
  CHECK_TRUE(t, StructuralEqual::Equal(value, copy, false, false));
  CallGlobal("ffi.ListAppend", {list, Any::Of(3)});
  CHECK_TRUE(t, !StructuralEqual::Equal(value, copy, false, false));
  // Nobody else holds the original, which is no reason to share it.
  for (const char* kind : {"ffi.List", "ffi.Dict"}) {
    bool is_list = kind[4] == 'L';
    for (bool is_empty : {false, true}) {
      Any alone = is_empty  ? CallGlobal(kind, {})
                  : is_list ? CallGlobal(kind, {Any::Of(1)})
                            : CallGlobal(kind, {Any::Of(1), Any::Of(2)});
      Any twin = DeepCopy(alone);
      CHECK_TRUE(t, StructuralEqual::Equal(alone, twin, false, false));
      if (is_list) {
        CallGlobal("ffi.ListAppend", {alone, Any::Of(3)});
      } else {
        CallGlobal("ffi.DictSetItem", {alone, Any::Of(3), Any::Of(4)});
      }
      CHECK_TRUE(t, !StructuralEqual::Equal(alone, twin, false, false));
    }
  }
  // Whatever holds it: what cannot be changed itself may hold what can.
  for (const char* outer : {"ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"}) {
    for (const char* middle : {"ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"}) {
      auto hold = [](const char* kind, const Any& held) {
        return kind[4] == 'A' || kind[4] == 'L' ? CallGlobal(kind, {held}) : CallGlobal(kind, {Any::Of(1), held});
      };
      Any inner = CallGlobal("ffi.List", {}), holder = hold(outer, hold(middle, inner));
      Any twin = DeepCopy(holder);
      CHECK_TRUE(t, StructuralEqual::Equal(holder, twin, false, false));
      CallGlobal("ffi.ListAppend", {inner, Any::Of(3)});
      CHECK_TRUE(t, !StructuralEqual::Equal(holder, twin, false, false));
    }
  }
  CHECK_EQ_INT(t, "type_index of the copy of a number", DeepCopy(Any::Of(7)).get().type_index, kTVMFFIInt);
  return 0;
}

/** Each C++ function that looks into values leaves the raised error as it is when it returns. */
CXX_CALLER(raised_error_stays) {
  CLAUSE(t, "CXX-0022");
  TVMFFIByteArray kind = text_of("ValueError"), message = text_of("still raised"), backtrace = text_of("");
  TVMFFIObjectHandle error = nullptr;
  if (TVMFFIErrorCreate(&kind, &message, &backtrace, &error) != 0) throw Error::Raised();
  Any kept = Any::Owning(error), list = CallGlobal("ffi.Array", {Any::Of(1), Text("a text that is not short")});
  Any document = Document(), graph = CallGlobal("ffi.ToJSONGraph", {document, Any()});
  String text(Written(document)), no_json("[1,"), message_there;
  uint64_t before = CountsOf(kept);
  std::vector<Question> questions = {
      {"json::Parse", "_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_",
       [&](const Any&, const Any&) { json::Parse(text, nullptr); }},
      {"json::Parse with room for a message", "_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_",
       [&](const Any&, const Any&) { json::Parse(text, &message_there); }},
      {"json::Parse of no JSON", "_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_",
       [&](const Any&, const Any&) { json::Parse(no_json, &message_there); }},
      {"json::Stringify of a document", "_ZN3tvm3ffi4json9StringifyERKNS0_3AnyERKNS0_8OptionalIivEE",
       [&](const Any&, const Any&) { json::Stringify(document, Optional<int>()); }},
      {"FromJSONGraph", "_ZN3tvm3ffi13FromJSONGraphERKNS0_3AnyE",
       [&](const Any&, const Any&) { FromJSONGraph(graph); }},
  };
  for (const Question& question : Questions()) questions.push_back(question);
  for (const Question& question : questions) {
    // Some came with later releases; which there have to be is for other clauses to say.
    if (dlsym(RTLD_DEFAULT, question.symbol) == nullptr) continue;
    for (const Any& value : {Any::Of(1), list}) {
      for (const Any& other : {value, list}) {
        TVMFFIErrorSetRaised(error);
        std::string thrown = Thrown([&] { question.ask(value, other); });
        TVMFFIObjectHandle raised = nullptr;
        TVMFFIErrorMoveFromRaised(&raised);
        Any taken = Any::Owning(raised);
        // What a call that throws leaves is for other clauses to say.
        if (thrown == "nothing") CHECK_EQ_PTR(t, question.name, raised, error);
      }
    }
  }
  CHECK_EQ_INT(t, "counts of the error", CountsOf(kept), before);
  return 0;
}

/** VisitErrorContext::FindAccessPaths answers the array of paths that the global function of this name answers. */
CXX_CALLER(access_paths) {
  CLAUSE(t, "CXX-0012");
  NEEDS(t, "_ZN3tvm3ffi17VisitErrorContext15FindAccessPathsERKNS0_9ObjectRefERKS1_b");
  int32_t index = 0;
  TVMFFIByteArray key = text_of("ffi.VisitErrorContext");
  CHECK_OK(t, TVMFFITypeKeyToIndex(&key, &index));
  // Only what has fields is named by a pattern, and an error context is an object that has some.
  auto around = [&](std::initializer_list<Any> values) {
    return CallGlobal("ffi.MakeObjectFromPackedArgs", {Any::Of(index), Text("reverse_visit_pattern"), List(values),
                                                       Text("prev_error_context"), Any()});
  };
  auto reference = [](const Any& any) {
    TVMFFIObjectIncRef(any.get().v_obj);
    return static_cast<TVMFFIObjectHandle>(any.get().v_obj);
  };
  auto count = [](const Any& array) { return CallGlobal("ffi.ArraySize", {array}).get().v_int64; };
  Any leaf = around({}), middle = around({around({}), leaf}), root = around({middle, leaf});
  ObjectRef from(reference(root));
  // A pattern that is there, and one of which only the beginning is.
  const struct {
    Any context;
    int64_t whole;
  } patterns[] = {{around({leaf, middle}), 1}, {around({around({}), middle}), 0}};
  for (const auto& pattern : patterns) {
    VisitErrorContext of(reference(pattern.context));
    for (bool prefix : {false, true}) {
      ObjectRef paths = VisitErrorContext::FindAccessPaths(from, of, prefix);
      CHECK_NOT_NULL(t, "the paths", paths.handle());
      CHECK_TRUE(t, prefix || count(paths.any()) == pattern.whole);
      Any expected = CallGlobal("ffi.VisitErrorContext.FindAccessPaths", {root, pattern.context, Any::Of(prefix)});
      CHECK_TRUE(t, SamePaths(paths.any(), expected));
    }
  }
  return 0;
}
