// The functions that JavaScript calls: exports.txt names them for the linker, web/host/module.js wraps them. Texts are
// UTF-8; a text that is returned lives until the next call that returns one. Lengths are CSS px, flags 0 or 1.
#pragma once

extern "C" {

// --- State: needs no graphics, so that the answer can be given as text where nothing can be drawn. ------------------

/// The element's width, the canvas's height, and physical px per CSS px.
void vram_resize(float width, float height, float pixel_ratio);
/// `address`: of the page, without '#' and what follows. `apple`: Command does what Control does elsewhere.
void vram_environment(const char* language, const char* address, int dark, int touch, int reduced_motion, int apple,
                      float text_scale);
/// The part of an address behind '#'.
void vram_set_link(const char* link);
const char* vram_link();
/// The request as JSON.
const char* vram_request();
/// The answer, or what is wrong with the request, in one or two sentences.
const char* vram_summary();
/// The last good answer line by line, for a font of one width; empty when there never was one.
const char* vram_table();
/// A text of the visitor's language.
const char* vram_word(const char* key);
/// What the last frame drew: {"controls":[{"role":..,"label":..,"value":..,"popup":..,"x":..,"y":..,"width":..,
/// "height":..}, ...], "texts":[..]}.
const char* vram_drawn();
/// Answer of a request, both JSON; {"error":{..}} where there is none. Has nothing to do with the request on the page.
const char* vram_estimate(const char* request);

/// A site's own catalogue over the one compiled in (catalog/README.md); empty: none. What is wrong in it as a JSON list
/// of {"line":..,"where":..,"message":..}; the rest of it counts.
const char* vram_set_catalogue(const char* text);

// --- What the visitor brings: JSON out ------------------------------------------------------------------------------

/// Room for so many bytes, for the next call that takes a length: files and logs are too long for a stack.
unsigned char* vram_buffer(unsigned length);
/// Forgets the files taken so far.
void vram_import_start();
/// Takes the beginning of a file from the buffer; `file_size` is the whole file's. {"need":N}: again, with N bytes of it;
/// {"ok":true}; or {"error":{..}}.
const char* vram_import_add(const char* name, unsigned length, double file_size);
/// {"request":{"architecture":..,"weights":..},"name":..,"parameters":..,"stored":..,"types":[..],"assumed":[{"id":..,
/// "value":..}]} or {"error":{..}} when a file is missing: core/report/imported.h.
const char* vram_import_finish();
/// A log in the buffer beside the answer of a request (JSON; empty: the page's): core/report/measured/comparison.h.
const char* vram_compare(unsigned length, const char* request);
/// What fits on the request's cards, and on what the request fits: core/report/turned_round.h.
const char* vram_turn_round(const char* request);
/// {"models":[..],"of":N}: those that fit among `count` models from `first` on; N models in all.
const char* vram_models_that_fit(const char* request, unsigned first, unsigned count);
/// How to measure exactly this request: core/report/recipe.h.
const char* vram_recipe(const char* request);
/// A measurement of the request in the form of the reference data, for the issue form.
const char* vram_reference(const char* request, const char* quantity, double bytes, const char* gpu);
/// Finishes the import, sets the page's request to it and says there what came of it. As vram_import_finish().
const char* vram_bring_files();
/// The same with a log in the buffer; 0 when it is none.
int vram_bring_log(unsigned length);
/// A sentence in the place of what vram_bring_files() says.
void vram_say(const char* text);
/// Sets these fields (JSON) on the page; a model and an architecture replace each other.
void vram_apply(const char* fields);

// --- Frames ---------------------------------------------------------------------------------------------------------

/// Needs a current WebGL2 context. 1 when it can draw.
int vram_graphics_start();
/// After a lost context came back: everything is uploaded anew.
int vram_graphics_restart();

/// What a frame leaves for the host to do; numbers only, so that it is read as one array.
struct FrameReport {
  double next_ms;  ///< -1: none until something happens; 0: another one at once; else in so many ms
  double height;   ///< what the canvas should have
  double cursor;   ///< ImGuiMouseCursor
  double state_version;
  double copy_wanted;  ///< call vram_take_copy()
  double text_wanted, text_numeric, text_x, text_y, text_height;
  double reveal_wanted, reveal_x, reveal_y, reveal_width, reveal_height;
  double frames;  ///< drawn since the start
};
/// Draws one frame. `now` in ms from one steady clock; then the part of the canvas that is in sight.
const FrameReport* vram_frame(double now, float visible_top, float visible_bottom);

// --- Input: each asks for a frame afterwards ------------------------------------------------------------------------

/// Far outside ends hovering.
void vram_pointer(float x, float y, int touch);
/// The only button that the page has a use for.
void vram_press(int down);
/// In lines; positive is up and left, as ImGui has it.
void vram_wheel(float x, float y);
/// `key` as in KeyboardEvent.key; modifiers: 1 Control, 2 Shift, 4 Alt, 8 Meta. 0 when the page has no use for the key.
int vram_key(const char* key, int down, int modifiers);
void vram_release_keys();
void vram_type(const char* text);
/// The canvas got (1: going forwards, 2: going backwards, 3: not by Tab) or lost (0) the keyboard.
void vram_focus(int how);
int vram_wants_tab(int backwards);
int vram_wants_wheel(float down);
int vram_wants_vertical_touch();
/// What goes to the clipboard; vram_copied() answers whether it got there.
const char* vram_take_copy();
void vram_copied(int ok);
/// What a paste will insert.
void vram_set_clipboard(const char* text);
}
