// The answer as JSON, exactly as the vocabulary describes it.
#pragma once

#include "core/base/json.h"
#include "core/fit/evaluate.h"
#include "core/report/formulas.h"
#include "core/report/texts.h"

namespace vram {

/// All sizes in bytes; texts are ids and values.
json::Value answer_to_json(const Evaluation& evaluation, const Catalog& catalog, const Formulas& formulas);

/// {"error":{"code","field","message",...}}: the message in the given language.
json::Value error_to_json(const Error& error, const Texts& texts);

/// One sentence: what is wrong, where, and the remedy ("error.<code>").
std::string error_sentence(const Error& error, const Texts& texts);

}  // namespace vram
