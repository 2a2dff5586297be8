// The schemas that editors use and the readers in the core must say the same.
#include <catch2/catch_test_macros.hpp>
#include <functional>

#include "core/machine/catalogue.h"
#include "tests/core/data_file.h"
#include "tests/core/machine/fact_files.h"

namespace vram {
namespace {

using Read = std::function<void(const json::Value&, std::vector<Error>&)>;

struct File {
  const char* key;
  Read read;
};

std::vector<File> files() {
  return {{"gpus", [](const json::Value& file, std::vector<Error>& faults) { (void)read_gpus(file, faults); }},
          {"platforms",
           [](const json::Value& file, std::vector<Error>& faults) {
             MachineCatalogue into;
             read_platforms(file, into, faults);
           }},
          {"configurations",
           [](const json::Value& file, std::vector<Error>& faults) {
             MachineCatalogue into;
             read_configurations(file, into, faults);
           }},
          {"tiers", [](const json::Value& file, std::vector<Error>& faults) {
             MachineCatalogue into;
             read_tiers(file, into, faults);
           }}};
}

bool has_fault(const std::vector<Error>& faults, ErrorCode code, const std::string& where) {
  for (const Error& fault : faults) {
    if (fault.code == code && fault.where == where) return true;
  }
  return false;
}

json::Value without(const json::Value& object, std::string_view key) {
  json::Value rest = json::Value::object();
  for (const json::Member& member : object.members()) {
    if (member.key != key) rest.set(member.key, member.value);
  }
  return rest;
}

json::Value file_of(const char* key, json::Value entry) {
  json::Value list = json::Value::array();
  list.push(std::move(entry));
  json::Value file = json::Value::object();
  file.set(key, std::move(list));
  return file;
}

std::vector<Error> faults_of(const File& file, json::Value entry) {
  std::vector<Error> faults;
  file.read(file_of(file.key, std::move(entry)), faults);
  return faults;
}

TEST_CASE("Schemas and readers agree on which fields exist and which are required", "[catalog][schema]") {
  for (const File& file : files()) {
    const json::Value schema = read_data_file(std::string("../../catalog/schema/") + file.key + ".schema.json");
    REQUIRE(schema.is(json::Kind::object));
    const json::Value& entry_schema = *schema.find("properties")->find(file.key)->find("items");
    const json::Value shipped = tests::shipped(std::string(file.key) + ".json");
    const json::Value& good = shipped.find(file.key)->items().front();
    const std::string path = std::string(file.key) + "[0].";
    INFO(file.key);
    REQUIRE(faults_of(file, good).empty());
    for (const json::Value& required : entry_schema.find("required")->items()) {
      INFO("required " << required.text());
      CHECK(
          has_fault(faults_of(file, without(good, required.text())), ErrorCode::missing_field, path + required.text()));
    }
    for (const json::Member& property : entry_schema.find("properties")->members()) {
      INFO("known " << property.key);
      json::Value entry = good;
      entry.replace(property.key, json::Value());  // null is the wrong kind of everything, but the name is known
      CHECK_FALSE(has_fault(faults_of(file, entry), ErrorCode::unknown_field, path + property.key));
    }
    json::Value entry = good;
    entry.set("colour", "red");
    CHECK(has_fault(faults_of(file, entry), ErrorCode::unknown_field, path + "colour"));
  }
}

TEST_CASE("Words of the schemas are words of the readers", "[catalog][schema]") {
  for (const File& file : files()) {
    const json::Value schema = read_data_file(std::string("../../catalog/schema/") + file.key + ".schema.json");
    const json::Value shipped = tests::shipped(std::string(file.key) + ".json");
    const json::Value& good = shipped.find(file.key)->items().front();
    const std::string path = std::string(file.key) + "[0].";
    for (const json::Member& property :
         schema.find("properties")->find(file.key)->find("items")->find("properties")->members()) {
      const json::Value* const words = property.value.find("enum");
      if (words == nullptr) continue;
      for (const json::Value& word : words->items()) {
        INFO(file.key << ' ' << property.key << ' ' << word.text());
        json::Value entry = good;
        entry.replace(property.key, word);
        CHECK_FALSE(has_fault(faults_of(file, entry), ErrorCode::unknown_choice, path + property.key));
      }
      json::Value entry = good;
      entry.replace(property.key, "no such word");
      CHECK(has_fault(faults_of(file, entry), ErrorCode::unknown_choice, path + property.key));
    }
  }
}

TEST_CASE("Every shipped source mark is explained in the file's legend", "[catalog]") {
  for (const char* name : {"gpus.json", "platforms.json"}) {
    const json::Value file = tests::shipped(name);
    const json::Value& legend = *file.find("source_legend");
    const std::string key = std::string_view(name) == "gpus.json" ? "gpus" : "platforms";
    for (const json::Value& entry : file.find(key)->items()) {
      const json::Value* const source = entry.find("source");
      if (source == nullptr) continue;
      const std::string mark = source->text().substr(0, source->text().find(' '));
      bool explained = false;
      for (const json::Member& member : legend.members()) explained = explained || member.key.starts_with(mark);
      INFO(entry.find("id")->text() << ": " << source->text());
      CHECK(explained);
    }
  }
}

}  // namespace
}  // namespace vram
