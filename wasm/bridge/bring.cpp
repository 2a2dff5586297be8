// What the visitor brings: model files, logs, and the question turned round. JSON in, JSON out.
#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/report/answer.h"
#include "core/report/brought.h"
#include "core/report/imported.h"
#include "core/report/measured/comparison.h"
#include "core/report/recipe.h"
#include "core/report/turned_round.h"
#include "wasm/bridge/exports.h"
#include "wasm/bridge/session.h"

namespace {

using vram::bridge::lend;
using vram::bridge::session;
using vram::json::Value;

Value failure(const vram::Error& error) { return vram::error_to_json(error, session().words()); }

vram::imports::ImportSet& files() {
  static vram::imports::ImportSet the_files;
  return the_files;
}

std::vector<unsigned char>& buffer() {
  static std::vector<unsigned char> the_buffer;
  return the_buffer;
}

/// What the host wrote into the buffer.
std::span<const unsigned char> written(unsigned length) {
  return std::span<const unsigned char>(buffer()).first(std::min<std::size_t>(length, buffer().size()));
}

vram::measured::LogReading log_in_buffer(unsigned length) {
  const auto log = written(length);
  return vram::measured::read_log({reinterpret_cast<const char*>(log.data()), log.size()});
}

/// The request in `text`; an empty text means the one on the page.
vram::Result<vram::Request> request_of(std::string_view text) {
  const auto parsed = vram::json::parse(text.empty() ? session().app.request_json() : std::string(text));
  if (!parsed) return parsed.error();
  return vram::request_from_json(*parsed);
}

/// Sets these fields on the page.
std::optional<vram::Error> apply(const Value& fields) {
  auto request = request_of("");
  if (!request) return request.error();
  if (fields.find("architecture") != nullptr || fields.find("model") != nullptr) {
    for (const vram::Field field : {vram::Field::model, vram::Field::architecture, vram::Field::parameters_b}) {
      request->clear(field);
    }
  }
  for (const vram::json::Member& member : fields.members()) {
    if (auto error = vram::set_from_json(*request, member.key, member.value)) return error;
  }
  // A file's format decides which engine loads it.
  if (fields.find("weights") != nullptr && fields.find("framework") == nullptr) request->clear(vram::Field::framework);
  return session().app.set_request_json(vram::json::write(vram::request_to_json(*request)));
}

/// The assessed request, put to `use`.
template <class Use>
const char* with_answer(const char* request, bool whole, const Use& use) {
  const auto read = request_of(request);
  if (!read) return lend(vram::json::write(failure(read.error())));
  if (whole) {
    const auto evaluation = vram::evaluate(*read, session().catalog);
    return lend(vram::json::write(evaluation ? use(*evaluation) : failure(evaluation.error())));
  }
  const auto scenario = vram::resolve(*read, session().catalog.facts);
  return lend(vram::json::write(scenario ? use(vram::assess(*read, *scenario)) : failure(scenario.error())));
}

}  // namespace

unsigned char* vram_buffer(unsigned length) {
  constexpr unsigned kMost = 80U << 20U;  // a header of the largest size read, and then some
  buffer().resize(std::min(length, kMost));
  return buffer().data();
}

void vram_import_start() { files() = {}; }

const char* vram_import_add(const char* name, unsigned length, double file_size) {
  const auto size = static_cast<std::uint64_t>(file_size < 0 ? 0 : file_size);
  const auto reading = files().add(name, written(length), size);
  Value answer = Value::object();
  if (const auto* need = std::get_if<vram::imports::NeedMore>(&reading)) {
    answer.set("need", need->up_to);
  } else if (const auto* error = std::get_if<vram::Error>(&reading)) {
    answer = failure(*error);
  } else {
    answer.set("ok", true);
  }
  return lend(vram::json::write(answer));
}

const char* vram_import_finish() {
  const auto imported = files().finish();
  return lend(vram::json::write(imported ? vram::imported_to_json(*imported, files()) : failure(imported.error())));
}

const char* vram_compare(unsigned length, const char* request) {
  const auto base = request_of(request);
  if (!base) return lend(vram::json::write(failure(base.error())));
  const vram::measured::LogReading reading = log_in_buffer(length);
  if (reading.sources.empty()) {
    const std::string remedy(session().words()("compare.unknown"));
    return lend(vram::json::write(failure({vram::ErrorCode::unsupported, "log", "", remedy, 0})));
  }
  const vram::Request stated = vram::measured::request_of_log(reading, *base, session().catalog.facts);
  const auto scenario = vram::resolve(stated, session().catalog.facts);
  if (!scenario) return lend(vram::json::write(failure(scenario.error())));
  const auto comparison = vram::measured::compare(reading, vram::assess(stated, *scenario));
  return lend(vram::json::write(vram::measured::comparison_to_json(reading, stated, comparison)));
}

const char* vram_turn_round(const char* request) {
  return with_answer(request, true, [](const vram::Evaluation& evaluation) {
    return vram::turned_round_to_json(evaluation, session().catalog.facts);
  });
}

const char* vram_models_that_fit(const char* request, unsigned first, unsigned count) {
  return with_answer(request, false, [&](const vram::Evaluation& evaluation) {
    const auto& facts = session().catalog.facts;
    Value answer = Value::object();
    answer.set("models", vram::model_fits_to_json(vram::models_that_fit(evaluation, facts, first, count)));
    answer.set("of", vram::Count(facts.models.models.size()));
    return answer;
  });
}

const char* vram_recipe(const char* request) {
  return with_answer(request, false, [](const vram::Evaluation& evaluation) {
    return vram::recipe_to_json(vram::recipe_for(evaluation, session().catalog.facts));
  });
}

const char* vram_reference(const char* request, const char* quantity, double bytes, const char* gpu) {
  const auto read = request_of(request);
  return lend(vram::json::write(read ? vram::reference_measurement(*read, quantity, vram::scaled(1, bytes), gpu)
                                     : failure(read.error())));
}

const char* vram_bring_files() {
  auto& app = session().app;
  const auto imported = files().finish();
  if (!imported) {
    app.set_notes({vram::error_sentence(imported.error(), session().words())});
    return lend(vram::json::write(failure(imported.error())));
  }
  const Value answer = vram::imported_to_json(*imported, files());
  if (const auto error = apply(*answer.find("request"))) {
    app.set_notes({vram::error_sentence(*error, session().words())});
    return lend(vram::json::write(failure(*error)));
  }
  app.set_notes(vram::import_lines(*imported, session().words()));
  return lend(vram::json::write(answer));
}

int vram_bring_log(unsigned length) {
  const auto reading = log_in_buffer(length);
  const auto base = request_of("");
  if (reading.sources.empty() || !base) return 0;
  const vram::Request stated = vram::measured::request_of_log(reading, *base, session().catalog.facts);
  auto& app = session().app;
  if (const auto error = app.set_request_json(vram::json::write(vram::request_to_json(stated)))) {
    app.set_notes({vram::error_sentence(*error, session().words())});
    return 1;
  }
  if (app.answer() == nullptr) return 1;
  const auto comparison = vram::measured::compare(reading, *app.answer());
  app.set_notes(vram::comparison_lines(comparison, session().words()));
  return 1;
}

void vram_say(const char* text) { session().app.set_notes({text}); }

void vram_apply(const char* fields) {
  if (const auto given = vram::json::parse(fields)) (void)apply(*given);
}
