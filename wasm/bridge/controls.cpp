// What can be pressed or typed into, for tests and for whoever reads the page without seeing it.
#include <array>
#include <string_view>

#include "core/base/json.h"
#include "wasm/bridge/exports.h"
#include "wasm/bridge/session.h"
#include "wasm/ui/trace.h"

namespace {

constexpr std::array<std::string_view, 10> kRoleNames = {"button", "segmented", "select",  "slider", "value",
                                                         "toggle", "checkbox",  "textbox", "fold",   "option"};
static_assert(kRoleNames.size() == static_cast<std::size_t>(vram::ui::Role::option) + 1);

vram::json::Value described(const vram::ui::Control& control) {
  const auto length = [](float css_px) { return static_cast<double>(css_px); };
  auto row = vram::json::Value::object();
  row.set("role", kRoleNames[static_cast<std::size_t>(control.role)]);
  row.set("label", control.label);
  row.set("value", control.value);
  row.set("popup", control.popup);
  row.set("x", length(control.min.x));
  row.set("y", length(control.min.y));
  row.set("width", length(control.max.x - control.min.x));
  row.set("height", length(control.max.y - control.min.y));
  return row;
}

}  // namespace

const char* vram_controls() {
  auto rows = vram::json::Value::array();
  for (const vram::ui::Control& control : vram::bridge::session().app.trace().controls) rows.push(described(control));
  return vram::bridge::lend(vram::json::write(rows));
}
