// The wheel scrolls the page, except over a list of ours that scrolls that way.

/** Notches per unit of WheelEvent.deltaMode: pixels, lines, pages. */
const notches = [1 / 100, 1 / 3, 10];

export function followWheel({canvas, module, scheduler, signal}) {
  canvas.addEventListener('wheel', (event) => {
    if (event.ctrlKey || event.metaKey) return;  // the browser's zoom
    if (!module.wantsWheel(event.deltaY)) return;
    event.preventDefault();
    const scale = notches[event.deltaMode];
    module.wheel(-event.deltaX * scale, -event.deltaY * scale);
    scheduler.invalidate();
  }, {passive: false, signal});
}
