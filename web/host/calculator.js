// One calculator on a page: puts the parts together and is what the page holds in its hands.
import {showAsText} from '../fallback.js';
import {appearance, chooseLanguage, followAppearance} from './appearance.js';
import {loadCatalogue} from './catalogue.js';
import {followClipboard, writeClipboard} from './clipboard.js';
import {openContext} from './context.js';
import {followDrops} from './drop.js';
import {createElements, focusOf, labelElements} from './elements.js';
import {guarded} from './guard.js';
import {followKeyboard} from './keyboard.js';
import {Module} from './module.js';
import {followPointer} from './pointer.js';
import {Scheduler} from './scheduler.js';
import {followSize, partInSight} from './surface.js';
import {followTyping, placeAgent} from './text_agent.js';
import {followWheel} from './wheel.js';

/** CSS cursors in ImGuiMouseCursor's order. */
const cursors = ['default', 'text', 'move', 'ns-resize', 'ew-resize', 'nesw-resize', 'nwse-resize', 'pointer', 'wait',
  'progress', 'not-allowed'];
const announceAfterMs = 400;
const failures = ['no_webgl', 'graphics_lost', 'error'];
const warmUpFrames = 3;  // until then Dear ImGui does not know what is under the pointer

export class Calculator {
  #module;
  #elements;
  #focus;
  #scheduler;
  #options;
  #ending = new AbortController();
  #drawing = false;   // the canvas is in use, not the text
  #failure = '';      // why not
  #collecting = false;
  #report = null;
  #height = 0;
  #touch = false;
  #shownVersion = -1;
  #announcement = 0;
  #failureWords = {};

  /**
   * createVram: the compiled module's factory. options: {link, language, theme, textScale, address, catalogue, changed(link)}.
   * Rejects when the module cannot be loaded; where it runs but cannot draw, the answer is shown as text.
   */
  static async start(container, createVram, options) {
    const module = new Module(await createVram());
    await loadCatalogue(options.catalogue, module, container);
    return new Calculator(container, module, options);
  }

  constructor(container, module, options) {
    this.#module = guarded(module, (error) => this.#fail('error', error));
    this.#options = options;
    this.#elements = createElements(container);
    this.#focus = focusOf(this.#elements);
    this.#scheduler = new Scheduler({
      draw: () => this.#draw(),
      beforeFrame: () => this.#applyHeight(),
      settled: () => this.#settled(),
    });
    followAppearance(() => this.#applyEnvironment(), this.#ending.signal);
    this.#applyEnvironment();
    this.#module.setLink(options.link);
    this.#showAnswer();
    if (this.#openCanvas()) this.#attach();
    else this.#fail('no_webgl');
  }

  // --- What a page and its tests ask and tell.

  setLink(link) {
    this.#module.setLink(link);
    this.#invalidate();
  }

  setLook({language, theme, textScale}) {
    Object.assign(this.#options, {language, theme, textScale});
    this.#applyEnvironment();
    this.#invalidate();
  }

  /** The state as the part of an address behind '#'. */
  get link() { return this.#module.link(); }
  get request() { return this.#module.request(); }
  /** The whole answer of a request, as the command line's --json gives it. */
  estimate(request) { return this.#module.estimate(request); }
  get answer() { return this.estimate(this.request); }
  get text() { return this.#elements.summary.textContent; }
  /** What the canvas shows: {controls: role, label, value and place of each, texts}. */
  get drawn() { return this.#module.drawn(); }
  get frames() { return this.#report?.frames ?? 0; }
  get idle() { return this.#scheduler.idle; }
  get canvas() { return this.#elements.canvas; }
  /** False once the calculator had to stop: only a new one can take another link. */
  get alive() { return this.#failure !== 'error'; }

  end() {
    this.#ending.abort();
    this.#scheduler.pause();
    for (const element of this.#elements.all) element.remove();
  }

  // --- Start.

  #openCanvas() {
    const {canvas} = this.#elements;
    return openContext({...this.#parts(), canvas, gone: () => this.#fail('graphics_lost')});
  }

  #attach() {
    const {canvas, container} = this.#elements;
    const signal = this.#ending.signal;
    this.#drawing = true;
    const measure = followSize(canvas, ({width, height, ratio}) => {
      this.#module.resize(width, height, ratio);
      this.#scheduler.drawNow();
      this.#scheduler.invalidate();
    }, signal);
    for (let frame = 0; frame < warmUpFrames; ++frame) {
      this.#applyHeight();
      measure();
      this.#scheduler.drawNow();
    }
    if (this.#failure) return;
    const parts = this.#parts();
    followPointer({...parts, setTouch: (touch) => this.#setTouch(touch)});
    followWheel(parts);
    followKeyboard(parts);
    followTyping(parts);
    followDrops({...parts, shown: () => this.#invalidate()});
    followClipboard({...parts, takeCopy: (draw) => this.#collectCopy(draw)});
    container.dataset.state = 'ready';
    this.#scheduler.invalidate();
  }

  /** What the event modules share. */
  #parts() {
    return {
      ...this.#elements, ...this.#focus,
      module: this.#module, scheduler: this.#scheduler, signal: this.#ending.signal,
    };
  }

  // --- Frames.

  #draw() {
    const {canvas} = this.#elements;
    const report = this.#module.frame(performance.now(), ...partInSight(canvas));
    if (!report) return -1;
    this.#report = report;
    canvas.style.cursor = cursors[report.cursor] ?? 'default';
    placeAgent({...this.#elements, ...this.#focus}, report);
    if (report.revealWanted) this.#reveal(report);
    if (report.copyWanted && !this.#collecting) this.#copy(this.#module.takeCopy());
    if (Math.ceil(report.height) !== this.#height) this.#scheduler.invalidate();
    return report.nextMs;
  }

  /** Between frames: a size observer must not change sizes. */
  #applyHeight() {
    const height = Math.ceil(this.#report?.height ?? 0);
    if (height === 0 || height === this.#height) return;
    this.#height = height;
    this.#elements.canvas.style.height = `${height}px`;
  }

  /** Scrolls the control that the keyboard moved to into view. */
  #reveal({revealX, revealY, revealWidth, revealHeight}) {
    const {agent} = this.#elements;
    Object.assign(agent.style, {
      left: `${revealX}px`, top: `${revealY}px`, width: `${revealWidth}px`, height: `${revealHeight}px`,
    });
    agent.scrollIntoView({block: 'nearest', inline: 'nearest'});
    Object.assign(agent.style, {width: '', height: ''});
  }

  #settled() {
    if (this.#report.stateVersion === this.#shownVersion) return;
    const first = this.#shownVersion < 0;
    this.#shownVersion = this.#report.stateVersion;
    this.#showAnswer();
    if (first) return;
    this.#options.changed?.(this.#module.link());
    clearTimeout(this.#announcement);
    this.#announcement = setTimeout(() => this.#announce(this.text), announceAfterMs);
  }

  #invalidate() {
    if (this.#drawing) this.#scheduler.invalidate();
    else this.#showAnswer();
  }

  // --- Words.

  #applyEnvironment() {
    const {language, theme, textScale, address} = this.#options;
    this.#module.environment({
      language: chooseLanguage(language), address, touch: this.#touch, ...appearance(theme),
      textScale: Math.min(Math.max(textScale || 1, 1), 1.5),
    });
    this.#label();
    this.#showAnswer();
    this.#invalidate();
  }

  #label() {
    if (!this.alive) return;
    const word = (key) => this.#module.word(key);
    labelElements(this.#elements, word);
    // Asked for now: a module that failed says nothing any more.
    this.#failureWords = Object.fromEntries(failures.map((reason) => [reason, word(`host.${reason}`)]));
    if (this.#failure) this.#elements.message.textContent = this.#failureWords[this.#failure];
  }

  #setTouch(touch) {
    if (touch === this.#touch) return;
    this.#touch = touch;
    this.#applyEnvironment();
  }

  #showAnswer() {
    const {summary, table} = this.#elements;
    summary.textContent = this.#module.summary() ?? summary.textContent;
    table.textContent = this.#module.table() ?? table.textContent;
  }

  #announce(text) {
    this.#elements.live.textContent = text;
  }

  // --- Clipboard.

  /** What `draw` puts on the clipboard, for an event that carries it there itself. */
  #collectCopy(draw) {
    this.#collecting = true;
    draw();
    this.#collecting = false;
    return this.#report.copyWanted ? this.#module.takeCopy() : '';
  }

  async #copy(text) {
    const ok = await writeClipboard(text, this.#elements.container);
    this.#module.copied(ok);
    if (ok) this.#announce(this.#module.word('host.copied'));
    this.#invalidate();
  }

  // --- Failure.

  /** `reason` is one of `failures`; the last answer stays, as text. */
  #fail(reason, error) {
    if (error) console.error(error);
    this.#failure = reason;
    this.#drawing = false;
    this.#scheduler.pause();
    this.#ending.abort();
    showAsText(this.#elements, this.#failureWords[reason]);
  }
}
