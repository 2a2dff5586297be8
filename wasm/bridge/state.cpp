// Requests and answers, without graphics.
#include "imgui.h"
#include "wasm/bridge/exports.h"
#include "wasm/bridge/session.h"

using vram::bridge::lend;
using vram::bridge::session;

void vram_resize(float width, float height, float pixel_ratio) {
  auto& environment = session().environment;
  environment.width = width;
  environment.height = height;
  environment.pixel_ratio = pixel_ratio;
  session().app.set_environment(environment);
}

void vram_environment(const char* language, const char* address, int dark, int touch, int reduced_motion, int apple,
                      float text_scale) {
  auto& environment = session().environment;
  environment.language = language;
  environment.address = address;
  environment.dark = dark != 0;
  environment.touch = touch != 0;
  environment.reduced_motion = reduced_motion != 0;
  environment.text_scale = text_scale;
  session().app.set_environment(environment);
  ImGui::SetCurrentContext(session().app.context());
  ImGui::GetIO().ConfigMacOSXBehaviors = apple != 0;
}

void vram_set_link(const char* link) { session().app.set_link(link); }

const char* vram_link() { return lend(session().app.link()); }

const char* vram_request() { return lend(session().app.request_json()); }

const char* vram_summary() { return lend(session().app.summary()); }

const char* vram_word(const char* key) { return lend(std::string(session().words()(key))); }
