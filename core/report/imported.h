// An imported model as plain data: what the page, a link and "add this model" take up.
#pragma once

#include "core/base/json.h"
#include "core/model/imports/import_set.h"

namespace vram {

/// {"request":{"architecture":..,"weights":..}, "name", "parameters", "weights", "stored" (bytes of the file's tensors, 0
/// without them), "types":[{"type","tensors","elements","bytes"}, ...] largest first, "assumed":[{"id","value"}]}.
json::Value imported_to_json(const imports::Imported& imported, const imports::ImportSet& files);

}  // namespace vram
