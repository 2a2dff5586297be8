// Whole answers: of the request on the page as a table in words, of any other as the same JSON as `vram estimate --lines`.
#include <string_view>

#include "core/base/json.h"
#include "core/report/answer.h"
#include "core/report/table.h"
#include "wasm/bridge/exports.h"
#include "wasm/bridge/session.h"

namespace {

using vram::json::Value;

Value answer_to(std::string_view text) {
  const auto& session = vram::bridge::session();
  const auto failure = [&](const vram::Error& error) { return vram::error_to_json(error, session.words()); };
  const auto parsed = vram::json::parse(text);
  if (!parsed) return failure(parsed.error());
  const auto request = vram::request_from_json(*parsed);
  if (!request) return failure(request.error());
  const auto evaluation = vram::evaluate(*request, session.catalog);
  if (!evaluation) return failure(evaluation.error());
  return vram::answer_to_json(*evaluation, session.catalog, session.formulas);
}

}  // namespace

const char* vram_estimate(const char* request) { return vram::bridge::lend(vram::json::write(answer_to(request))); }

const char* vram_table() {
  const auto& session = vram::bridge::session();
  const vram::Evaluation* answer = session.app.answer();
  if (answer == nullptr) return "";
  return vram::bridge::lend(vram::answer_table(*answer, session.catalog, session.formulas, session.words(), {}));
}
