// What the last frame drew, for tests and for whoever reads the page without seeing it.
#include <array>
#include <string_view>

#include "core/base/json.h"
#include "wasm/bridge/exports.h"
#include "wasm/bridge/session.h"
#include "wasm/ui/trace.h"

namespace {

using vram::json::Value;

constexpr std::array<std::string_view, 10> kRoleNames = {"button", "segmented", "select",  "slider", "value",
                                                         "toggle", "checkbox",  "textbox", "fold",   "option"};
static_assert(kRoleNames.size() == static_cast<std::size_t>(vram::ui::Role::option) + 1);

Value described(const vram::ui::Control& control) {
  const auto length = [](float css_px) { return static_cast<double>(css_px); };
  auto row = Value::object();
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

const char* vram_drawn() {
  const vram::ui::Trace& trace = vram::bridge::session().app.trace();
  auto controls = Value::array();
  for (const vram::ui::Control& control : trace.controls) controls.push(described(control));
  auto texts = Value::array();
  for (const vram::ui::Label& label : trace.labels) texts.push(label.text);
  auto drawn = Value::object();
  drawn.set("controls", std::move(controls));
  drawn.set("texts", std::move(texts));
  return vram::bridge::lend(vram::json::write(drawn));
}
