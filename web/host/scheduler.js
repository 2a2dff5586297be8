// Draws only after something changed: while nothing does, no frame and no callback is pending.

/** Dear ImGui needs a few frames until popups and sizes have settled. */
const settlingFrames = 3;

export class Scheduler {
  #draw;
  #beforeFrame;
  #settled;
  #left = 0;
  #request = 0;
  #timer = 0;
  #paused = false;

  /**
   * draw(): draws and returns the milliseconds until the next wanted frame, 0 for at once, -1 for none.
   * beforeFrame(): may change the page's layout. settled(): nothing is left to draw.
   */
  constructor({draw, beforeFrame, settled}) {
    this.#draw = draw;
    this.#beforeFrame = beforeFrame;
    this.#settled = settled;
  }

  /** Asks for frames, the first in the browser's next animation frame. */
  invalidate(frames = settlingFrames) {
    if (this.#paused) return;
    this.#left = Math.max(this.#left, frames);
    this.#request ||= requestAnimationFrame(() => this.#tick());
  }

  /** Draws within an event handler, where focus() and the clipboard still count as the visitor's act. */
  drawNow() {
    if (this.#paused) return;
    const next = this.#draw();
    this.#left = Math.max(this.#left - 1, 0);
    clearTimeout(this.#timer);
    if (next === 0) this.invalidate(1);
    if (next > 0) this.#timer = setTimeout(() => this.invalidate(1), next);
  }

  pause() {
    this.#paused = true;
    cancelAnimationFrame(this.#request);
    clearTimeout(this.#timer);
    this.#request = 0;
  }

  resume() {
    this.#paused = false;
    this.invalidate();
  }

  /** True while no frame is wanted. */
  get idle() {
    return this.#left === 0 && this.#request === 0;
  }

  #tick() {
    this.#request = 0;
    this.#beforeFrame();
    this.drawNow();
    if (this.#paused) return;
    if (this.#left > 0) this.invalidate(this.#left);
    else if (this.idle) this.#settled();
  }
}
