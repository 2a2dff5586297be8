#include "tests/ui/harness.h"

#include <catch2/catch_test_macros.hpp>

#include "core/base/embedded_files.h"
#include "core/base/json.h"

namespace vram::ui::test {
namespace {

Catalog load_catalog() {
  std::vector<CatalogFile> files;
  for (const embedded::File& file : embedded::catalog_files()) files.push_back({file.name, file.text});
  std::vector<CatalogFault> faults;
  return read_catalog(files, faults);
}

Formulas load_formulas() {
  for (const embedded::File& file : embedded::catalog_files()) {
    if (file.name != "formulas.json") continue;
    if (const auto parsed = json::parse(file.text)) {
      if (auto read = Formulas::read(*parsed)) return *read;
    }
  }
  return {};
}

std::vector<Texts> load_texts() {
  std::vector<Texts> all;
  for (const embedded::File& file : embedded::text_files()) {
    const auto parsed = json::parse(file.text);
    if (!parsed) continue;
    if (auto read = Texts::read(file.name, *parsed)) all.push_back(std::move(read).value());
  }
  return all;
}

}  // namespace

const Catalog& catalog() {
  static const Catalog the_catalog = load_catalog();
  return the_catalog;
}

const Formulas& formulas() {
  static const Formulas the_formulas = load_formulas();
  return the_formulas;
}

const std::vector<Texts>& texts() {
  static const std::vector<Texts> the_texts = load_texts();
  return the_texts;
}

Page::Page(float width, std::string_view link, std::string_view language, int first_frames)
    : app(catalog(), formulas(), texts()) {
  ImGui::SetCurrentContext(app.context());
  ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures | ImGuiBackendFlags_RendererHasVtxOffset;
  environment.width = width;
  environment.height = 600;
  environment.language = language;
  environment.address = "https://example.org/vram";
  app.set_environment(environment);
  app.set_link(link);
  frames(first_frames);
}

Page::~Page() {
  ImGui::SetCurrentContext(app.context());
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
    texture->SetTexID(ImTextureID_Invalid);
    texture->SetStatus(ImTextureStatus_Destroyed);
  }
}

void Page::take_textures() {
  for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
    if (texture->Status == ImTextureStatus_WantDestroy) {
      texture->SetTexID(ImTextureID_Invalid);
      texture->SetStatus(ImTextureStatus_Destroyed);
    } else if (texture->Status != ImTextureStatus_OK) {
      texture->SetTexID(1);
      texture->SetStatus(ImTextureStatus_OK);
    }
  }
}

void Page::frame() {
  ++built;
  last = app.frame(now_ += 0.05);
  take_textures();
  if (last.height == environment.height) return;
  environment.height = last.height;
  app.set_environment(environment);
}

void Page::frames(int count) {
  for (int i = 0; i < count; ++i) frame();
}

int Page::settle(int limit) {
  int count = 0;
  do {
    frame();
    ++count;
  } while (last.next_ms == 0 && count < limit);
  return count;
}

void Page::move_to(ImVec2 at) {
  ImGui::GetIO().AddMousePosEvent(at.x, at.y);
  frames(2);
}

void Page::press_at(ImVec2 at) {
  move_to(at);
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, true);
  frame();
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, false);
  settle();
}

void Page::drag(ImVec2 from, ImVec2 to) {
  move_to(from);
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, true);
  frames(2);
  for (int step = 1; step <= 4; ++step) {
    const float share = static_cast<float>(step) / 4;
    ImGui::GetIO().AddMousePosEvent(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
    frame();
  }
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, false);
  settle();
}

void Page::tap_key(ImGuiKey key, bool shift) {
  ImGuiIO& io = ImGui::GetIO();
  if (shift) io.AddKeyEvent(ImGuiMod_Shift, true);
  io.AddKeyEvent(key, true);
  frame();
  io.AddKeyEvent(key, false);
  if (shift) io.AddKeyEvent(ImGuiMod_Shift, false);
  settle();
}

void Page::type(std::string_view text) {
  ImGui::GetIO().AddInputCharactersUTF8(std::string(text).c_str());
  settle();
}

Control Page::control(std::string_view label, Role role) const {
  for (const Control& one : app.trace().controls) {
    if (one.label == label && one.role == role) return one;
  }
  FAIL("no control \"" << label << "\"");
  return {};
}

bool Page::shows(std::string_view text) const {
  for (const Label& label : app.trace().labels) {
    if (label.text.find(text) != std::string::npos) return true;
  }
  return false;
}

std::string_view Page::text(std::string_view key) const {
  for (const Texts& one : texts()) {
    if (one.language() == environment.language) return one(key);
  }
  return key;
}

}  // namespace vram::ui::test
