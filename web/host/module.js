// The compiled calculator as plain methods: wasm/bridge/exports.h says what each does. Nothing else on the page knows
// that it is WebAssembly.

/** KeyboardEvent's modifiers as the module counts them. */
export const modifiers = (event) =>
  (event.ctrlKey ? 1 : 0) | (event.shiftKey ? 2 : 0) | (event.altKey ? 4 : 0) | (event.metaKey ? 8 : 0);

/** Command is the key of shortcuts there. */
export const isApple = /Mac|iP/.test(navigator.platform);

/** How the canvas got the keyboard's focus. */
export const Focus = {lost: 0, forwards: 1, backwards: 2, pointer: 3};

/** Where Emscripten keeps what it made in a context. */
const nameTables = ['buffers', 'programs', 'framebuffers', 'renderbuffers', 'textures', 'shaders', 'vaos', 'samplers'];

/** Fields of FrameReport, in its order. */
const reportFields = [
  'nextMs', 'height', 'cursor', 'stateVersion', 'copyWanted',
  'textWanted', 'textNumeric', 'textX', 'textY', 'textHeight',
  'revealWanted', 'revealX', 'revealY', 'revealWidth', 'revealHeight',
  'frames',
];

export class Module {
  #wasm;

  constructor(wasm) {
    this.#wasm = wasm;
  }

  #text(name, ...texts) {
    return this.#wasm.ccall(`vram_${name}`, 'string', texts.map(() => 'string'), texts);
  }

  #send(name, ...texts) {
    this.#wasm.ccall(`vram_${name}`, null, texts.map(() => 'string'), texts);
  }

  // State: works without graphics.
  resize(width, height, ratio) { this.#wasm._vram_resize(width, height, ratio); }
  environment({language, address, dark, touch, reducedMotion, textScale}) {
    this.#wasm.ccall('vram_environment', null, ['string', 'string', ...Array(5).fill('number')],
      [language, address, Number(dark), Number(touch), Number(reducedMotion), Number(isApple), textScale]);
  }
  setLink(link) { this.#send('set_link', link); }
  link() { return this.#text('link'); }
  request() { return JSON.parse(this.#text('request')); }
  summary() { return this.#text('summary'); }
  table() { return this.#text('table'); }
  word(key) { return this.#text('word', key); }
  setCatalogue(text) { return JSON.parse(this.#text('set_catalogue', text)); }
  drawn() { return JSON.parse(this.#text('drawn')); }
  estimate(request) { return JSON.parse(this.#text('estimate', JSON.stringify(request))); }

  // What the visitor brings. Files and logs go through a buffer: they are too long for the module's stack.
  #fill(bytes) {
    const at = this.#wasm._vram_buffer(bytes.length);
    this.#wasm.HEAPU8.set(bytes, at);
  }
  importStart() { this.#wasm._vram_import_start(); }
  importAdd(name, bytes, size) {
    this.#fill(bytes);
    return JSON.parse(this.#wasm.ccall('vram_import_add', 'string', ['string', 'number', 'number'],
      [name, bytes.length, size]));
  }
  bringFiles() { return JSON.parse(this.#text('bring_files')); }
  bringLog(log) {
    const bytes = new TextEncoder().encode(log.slice(0, 4 << 20));
    this.#fill(bytes);
    return this.#wasm._vram_bring_log(bytes.length) !== 0;
  }
  importFinish() { return JSON.parse(this.#text('import_finish')); }
  compare(log, request = '') {
    const bytes = new TextEncoder().encode(log.slice(0, 4 << 20));
    this.#fill(bytes);
    return JSON.parse(this.#wasm.ccall('vram_compare', 'string', ['number', 'string'], [bytes.length, request]));
  }
  turnRound(request = '') { return JSON.parse(this.#text('turn_round', request)); }
  modelsThatFit(request, first, count) {
    return JSON.parse(this.#wasm.ccall('vram_models_that_fit', 'string', ['string', 'number', 'number'],
      [request, first, count]));
  }
  recipe(request = '') { return JSON.parse(this.#text('recipe', request)); }
  reference(request, quantity, bytes, gpu) {
    return JSON.parse(this.#wasm.ccall('vram_reference', 'string', ['string', 'string', 'number', 'string'],
      [request, quantity, bytes, gpu]));
  }
  say(text) { this.#send('say', text); }
  apply(fields) { this.#send('apply', JSON.stringify(fields)); }

  // Graphics.
  createContext(canvas, attributes) {
    const handle = this.#wasm.GL.createContext(canvas, {majorVersion: 2, minorVersion: 0, ...attributes});
    return handle && this.#wasm.GL.makeContextCurrent(handle) ? handle : 0;
  }
  startGraphics() { return this.#wasm._vram_graphics_start() !== 0; }
  restartGraphics(handle) {
    const gl = this.#wasm.GL;
    gl.makeContextCurrent(handle);
    // The names belonged to the lost context: deleting them in the new one would be an error.
    for (const table of nameTables) {
      if (gl[table]) gl[table].length = 0;
    }
    return this.#wasm._vram_graphics_restart() !== 0;
  }
  frame(now, visibleTop, visibleBottom) {
    const start = this.#wasm._vram_frame(now, visibleTop, visibleBottom) / Float64Array.BYTES_PER_ELEMENT;
    return Object.fromEntries(reportFields.map((field, index) => [field, this.#wasm.HEAPF64[start + index]]));
  }

  // Input.
  pointer(x, y, touch) { this.#wasm._vram_pointer(x, y, Number(touch)); }
  press(down) { this.#wasm._vram_press(Number(down)); }
  wheel(x, y) { this.#wasm._vram_wheel(x, y); }
  key(key, down, held) {
    return this.#wasm.ccall('vram_key', 'number', ['string', 'number', 'number'], [key, Number(down), held]) !== 0;
  }
  releaseKeys() { this.#wasm._vram_release_keys(); }
  type(text) { this.#send('type', text); }
  focus(how) { this.#wasm._vram_focus(how); }
  wantsTab(backwards) { return this.#wasm._vram_wants_tab(Number(backwards)) !== 0; }
  wantsWheel(down) { return this.#wasm._vram_wants_wheel(down) !== 0; }
  wantsVerticalTouch() { return this.#wasm._vram_wants_vertical_touch() !== 0; }
  takeCopy() { return this.#text('take_copy'); }
  copied(ok) { this.#wasm._vram_copied(Number(ok)); }
  setClipboard(text) { this.#send('set_clipboard', text); }
}
