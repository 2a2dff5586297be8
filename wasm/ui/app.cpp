#include "wasm/ui/app.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/json.h"
#include "core/report/answer.h"
#include "core/scenario/link.h"
#include "wasm/fonts/fonts.h"
#include "wasm/ui/page.h"

namespace vram::ui {
namespace {

constexpr double kCopiedSeconds = 2.5;
constexpr std::string_view kStartModel = "llama-3.1-8b";

ImFont* add_font(std::span<const unsigned char> bytes) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  // ImGui takes a pointer to non-const but does not write when it does not own the data.
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<unsigned char*>(bytes.data()),
                                                    static_cast<int>(bytes.size()), kBody.size, &config);
}

void apply_style(const Palette& colours) {
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowPadding = {0, 0};
  style.WindowBorderSize = 0;
  style.WindowRounding = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.ScrollbarSize = 10;
  style.ScrollbarRounding = 5;
  style.CircleTessellationMaxError = 0.15F;
  const auto set = [&style](ImGuiCol which, ImU32 colour) {
    style.Colors[which] = ImGui::ColorConvertU32ToFloat4(colour);
  };
  set(ImGuiCol_WindowBg, colours.page);
  set(ImGuiCol_PopupBg, colours.card);
  set(ImGuiCol_Border, colours.line);
  set(ImGuiCol_Text, colours.text);
  set(ImGuiCol_ScrollbarBg, with_alpha(colours.card, 0));
  set(ImGuiCol_ScrollbarGrab, colours.line);
  set(ImGuiCol_ScrollbarGrabHovered, colours.muted);
  set(ImGuiCol_ScrollbarGrabActive, colours.muted);
}

/// Keys whose repetition ImGui times: frames are needed while one is held.
bool repeats_key() {
  for (const ImGuiKey key : {ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow,
                             ImGuiKey_PageUp, ImGuiKey_PageDown, ImGuiKey_Backspace, ImGuiKey_Delete, ImGuiKey_Tab}) {
    if (ImGui::IsKeyDown(key)) return true;
  }
  return false;
}

/// The field to clear so that an error goes away: the one it names, or a degree of parallelism where they do not multiply.
std::optional<Field> field_in_the_way(const Request& request, std::optional<Field> keep, const Error& error) {
  const auto clearable = [&](Field field) { return request.has(field) && field != keep; };
  const std::optional<Field> named = field_by_name(error.where);
  if (named == Field::gpu_count) {
    for (const Field degree : {Field::data_parallel, Field::expert_parallel, Field::context_parallel,
                               Field::pipeline_parallel, Field::tensor_parallel}) {
      if (clearable(degree)) return degree;
    }
  }
  return named && clearable(*named) ? named : std::nullopt;
}

}  // namespace

struct App::State {
  State(const Catalog& catalog_in, const Formulas& formulas_in, std::span<const Texts> texts_in)
      : catalog(catalog_in), formulas(formulas_in), texts(texts_in) {}

  const Catalog& catalog;
  const Formulas& formulas;
  std::span<const Texts> texts;
  ImGuiContext* context = nullptr;
  Environment environment;
  Ui ui;
  Form form;
  Request request, evaluated;
  std::optional<Evaluation> answer;
  std::optional<Error> error;
  std::vector<Error> ignored;       ///< what a link said in vain
  std::vector<std::string> notes;   ///< on what the visitor brought
  std::uint32_t notes_version = 0;  ///< the request they belong to
  std::vector<Error> set_back;      ///< what made way for the visitor's last choice
  LinkButton link;
  std::optional<Copy> copy;
  std::string clipboard;
  std::uint32_t version = 0;
  double time = -1, copied_until = -1;
  float height = 0;

  [[nodiscard]] Request start_request() const {
    Request start;
    const auto& models = catalog.facts.models.models;
    if (catalog.facts.models.find(kStartModel)) {
      start.set(Field::model, std::string(kStartModel));
      start.set(Field::weights, std::string("q4_k_m"));
    } else if (!models.empty()) {
      start.set(Field::model, models.front()->id);
    }
    if (!catalog.machines.tiers.empty()) start.set(Field::gpu, catalog.machines.tiers.front().gpu_id);
    return start;
  }

  /// The only place that computes: once per changed request.
  void evaluate_request() {
    if (answer && request == evaluated && !error) return;
    evaluated = request;
    Result<Evaluation> result = evaluate(request, catalog);
    if (result) {
      answer = std::move(result).value();
      error.reset();
    } else {
      error = result.error();
    }
    ++version;
  }

  /// Clears fields until the request has an answer, and tells which errors that avoids. `keep`: what the visitor has just
  /// chosen stays, and the fields that do not go with it make way.
  void evaluate_what_goes(std::optional<Field> keep, std::vector<Error>& avoided) {
    const Request start = start_request();
    for (std::size_t tries = 0; tries < kFieldCount; ++tries) {
      const bool has_model =
          request.has(Field::model) || request.has(Field::architecture) || request.has(Field::parameters_b);
      if (!has_model && start.has(Field::model)) request.set(Field::model, *start.find(Field::model));
      evaluate_request();
      if (!error) return;
      const std::optional<Field> field = field_in_the_way(request, keep, *error);
      if (!field) return;
      avoided.push_back(*error);
      request.clear(*field);
    }
  }

  /// A first request that cannot be answered still opens a page with controls.
  void ensure_answer() {
    if (answer) return;
    if (const Result<Evaluation> start = evaluate(start_request(), catalog)) answer = *start;
  }

  [[nodiscard]] const Texts& words() const {
    for (const Texts& one : texts) {
      if (one.language() == environment.language) return one;
    }
    return texts.front();
  }

  void begin_frame(double now) {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {environment.width, environment.height};
    io.DisplayFramebufferScale = {environment.pixel_ratio, environment.pixel_ratio};
    const double passed = time < 0 ? 1.0 / 60 : now - time;
    io.DeltaTime = static_cast<float>(std::clamp(passed, 0.0001, 0.1));
    time = now;
    ui.colours = &palette(environment.dark);
    ui.texts = &words();
    ui.text_scale = environment.text_scale;
    ui.touch = environment.touch;
    ui.visible_top = environment.visible_top;
    ui.visible_bottom = environment.visible_bottom;
    ui.again = false;
    ui.numeric = false;
    ui.wake_ms = -1;
    ui.popup_open = form.list.id != 0;
    ui.trace.clear();
    form.scenario = answer ? &answer->scenario : nullptr;
    form.error = error ? &*error : nullptr;
    form.changed = false;
    form.changed_field.reset();
    form.error_shown = false;
    link.copied = now < copied_until;
    apply_style(*ui.colours);
  }

  void draw() {
    constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                        ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoSavedSettings |
                                        ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBringToFrontOnFocus;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({environment.width, std::max(environment.height, height)});
    ImGui::Begin("##page", nullptr, kFlags);
    ui.draw = ImGui::GetWindowDrawList();
    Page page;
    page.form = &form;
    page.answer = answer ? &*answer : nullptr;
    page.error = error ? &*error : nullptr;
    page.ignored = &ignored;
    page.set_back = &set_back;
    if (notes_version != version) notes.clear();
    page.notes = &notes;
    page.formulas = &formulas;
    page.link = &link;
    page.width = environment.width;
    const float drawn = draw_page(ui, page);
    if (drawn != height) ui.again = true;
    height = drawn;
    ImGui::End();
  }

  void react() {
    if (form.changed) {
      ignored.clear();
      set_back.clear();
      evaluate_what_goes(form.changed_field, set_back);
      ui.again = true;
    }
    if (link.pressed) copy = Copy{environment.address + "#" + request_to_link(request), true};
    if (time < copied_until) ui.wake_in(static_cast<int>((copied_until - time) * 1000) + 20);
    if (repeats_key()) ui.wake_in(40);
  }
};

App::App(const Catalog& catalog, const Formulas& formulas, std::span<const Texts> texts)
    : state_(std::make_unique<State>(catalog, formulas, texts)) {
  IMGUI_CHECKVERSION();
  State& state = *state_;
  ImGuiContext* const outer = ImGui::GetCurrentContext();
  state.context = ImGui::CreateContext();
  ImGui::SetCurrentContext(state.context);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;  // a blinking caret would cost frames for ever
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  state.context->ConfigNavWindowingKeyNext = 0;
  state.context->ConfigNavWindowingKeyPrev = 0;
  ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  platform.Platform_ClipboardUserData = &state;
  platform.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
    static_cast<State*>(ImGui::GetPlatformIO().Platform_ClipboardUserData)->copy = Copy{text, false};
  };
  platform.Platform_GetClipboardTextFn = [](ImGuiContext*) {
    return static_cast<State*>(ImGui::GetPlatformIO().Platform_ClipboardUserData)->clipboard.c_str();
  };
  state.ui.regular = add_font(fonts::inter_regular());
  state.ui.semibold = add_font(fonts::inter_semibold());
  state.form.catalog = &catalog;
  state.form.request = &state.request;
  apply_style(palette(false));
  state.request = state.start_request();
  state.evaluate_request();
  if (outer != nullptr) ImGui::SetCurrentContext(outer);
}

App::~App() { ImGui::DestroyContext(state_->context); }

void App::set_environment(const Environment& environment) { state_->environment = environment; }

void App::set_link(std::string_view link) {
  State& state = *state_;
  LinkReading reading = request_from_link(link);
  state.ignored = std::move(reading.ignored);
  state.set_back.clear();
  state.form.typed.reset();
  state.request = link.empty() ? state.start_request() : std::move(reading.request);
  state.evaluate_what_goes(std::nullopt, state.ignored);
  state.ensure_answer();
}

void App::change_catalog(const std::function<void()>& change) {
  State& state = *state_;
  const bool untouched = state.request == state.start_request();
  state.answer.reset();
  state.form.scenario = nullptr;
  state.form.options = {};
  change();
  if (untouched) state.request = state.start_request();
  state.evaluate_what_goes(std::nullopt, state.ignored);
  state.ensure_answer();
}

std::string App::link() const { return request_to_link(state_->request); }

std::optional<Error> App::set_request_json(std::string_view text) {
  const Result<json::Value> parsed = json::parse(text);
  if (!parsed) return parsed.error();
  Result<Request> request = request_from_json(*parsed);
  if (!request) return request.error();
  state_->ignored.clear();
  state_->set_back.clear();
  state_->form.typed.reset();
  state_->request = std::move(request).value();
  state_->evaluate_request();
  state_->ensure_answer();
  return std::nullopt;
}

std::string App::request_json() const { return json::write(request_to_json(state_->request)); }

Frame App::frame(double now) {
  State& state = *state_;
  ImGui::SetCurrentContext(state.context);
  state.begin_frame(now);
  ImGui::NewFrame();
  state.ui.focus.begin_frame(state.ui.popup_open);
  if (state.ui.focus.moved()) state.ui.again = true;
  state.draw();
  state.ui.focus.end_frame();
  state.react();
  ImGui::Render();
  Frame frame;
  frame.height = state.height;
  frame.next_ms = state.ui.again || state.context->InputEventsQueue.Size > 0 ? 0 : state.ui.wake_ms;
  return frame;
}

const Request& App::request() const { return state_->request; }
const Evaluation* App::answer() const { return state_->answer ? &*state_->answer : nullptr; }

const Error* App::error() const {
  if (state_->form.typed) return &*state_->form.typed;
  return state_->error ? &*state_->error : nullptr;
}

std::string App::summary() const {
  if (const Error* wrong = error()) return error_sentence(*wrong, state_->words());
  return state_->answer ? summary_of(*state_->answer, state_->words()) : std::string();
}

void App::set_notes(std::vector<std::string> lines) {
  State& state = *state_;
  state.notes = std::move(lines);
  state.notes_version = ++state.version;  // so that the host announces it
}

std::uint32_t App::state_version() const { return state_->version; }

std::optional<Copy> App::take_copy() { return std::exchange(state_->copy, std::nullopt); }

void App::copied(bool ok) {
  if (ok) {
    state_->copied_until = state_->time + kCopiedSeconds;
    state_->link.by_hand.clear();
  } else {
    state_->link.by_hand = state_->environment.address + "#" + link();
    state_->link.by_hand_starts = true;
  }
}

void App::set_clipboard(std::string_view text) { state_->clipboard = text; }

bool App::wants_tab(bool shift) const { return state_->form.list.id != 0 || !state_->ui.focus.leaves_by_tab(shift); }
void App::enter(bool backwards) { state_->ui.focus.enter(backwards); }
void App::leave() { state_->ui.focus.leave(); }

bool App::wants_wheel(float dy) const {
  if (state_->form.list.id == 0) return false;
  for (const ImGuiWindow* window = state_->context->HoveredWindow; window != nullptr; window = window->ParentWindow) {
    if (window->ScrollMax.y > 0 && (dy < 0 ? window->Scroll.y > 0 : window->Scroll.y < window->ScrollMax.y))
      return true;
    if ((window->Flags & ImGuiWindowFlags_ChildWindow) == 0) break;
  }
  return false;
}

bool App::wants_vertical_touch() const { return state_->form.list.id != 0; }

TextInput App::text_input() const {
  const ImGuiPlatformImeData& data = state_->context->PlatformImeData;
  return {data.WantTextInput, state_->ui.numeric, data.InputPos.x, data.InputPos.y, data.InputLineHeight};
}

std::optional<Area> App::reveal() const {
  const auto area = state_->ui.focus.revealed();
  if (!area) return std::nullopt;
  return Area{area->x, area->y, area->z - area->x, area->w - area->y};
}

ImGuiContext* App::context() const { return state_->context; }
const Trace& App::trace() const { return state_->ui.trace; }

}  // namespace vram::ui
