// Mouse and pen go straight through. A finger's press waits until it is clear that the visitor does not scroll.

const far = -1e6;  // where no control is: ends hovering
const sidewaysPx = 6;

export function followPointer({canvas, module, scheduler, signal, setTouch}) {
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const listen = (type, handler, options) => canvas.addEventListener(type, handler, {signal, ...options});

  // --- Mouse and pen.
  const mouse = {
    pointerdown(event) {
      if (event.button !== 0) return;
      setTouch(false);
      canvas.setPointerCapture(event.pointerId);
      module.pointer(...place(event), false);
      module.press(true);
      scheduler.drawNow();
      scheduler.invalidate();
    },
    pointermove(event) {
      module.pointer(...place(event), false);
      scheduler.invalidate(2);
    },
    pointerup(event) {
      if (event.button !== 0) return;
      module.pointer(...place(event), false);
      module.press(false);
      scheduler.drawNow();
      scheduler.invalidate();
    },
    pointercancel() {
      module.pointer(far, far, false);
      module.press(false);
      scheduler.invalidate();
    },
  };

  // --- Touch: {id, x, y: where it began; pressed: the press was sent; scrolling: the list under it follows the finger}.
  let finger = null;
  // Position and button in frames of their own: what is under a finger is only known after a frame there.
  const press = () => {
    module.pointer(finger.x, finger.y, true);
    scheduler.drawNow();
    module.press(true);
    scheduler.drawNow();
    finger.pressed = true;
  };
  const lift = () => {
    module.press(false);
    scheduler.drawNow();
    scheduler.drawNow();
    module.pointer(far, far, true);
    finger = null;
    scheduler.invalidate();
  };
  const touch = {
    pointerdown(event) {
      if (!event.isPrimary) return;
      setTouch(true);
      const [x, y] = place(event);
      finger = {id: event.pointerId, x, y, lastY: y, pressed: false, scrolling: false};
    },
    pointermove(event) {
      if (event.pointerId !== finger?.id) return;
      const [x, y] = place(event);
      if (!finger.pressed && !finger.scrolling) {
        if (module.wantsVerticalTouch() && Math.abs(y - finger.y) >= sidewaysPx) {
          finger.scrolling = true;
          module.pointer(finger.x, finger.y, true);
        } else if (Math.abs(x - finger.x) >= sidewaysPx) {
          canvas.setPointerCapture(event.pointerId);
          press();
        } else {
          return;
        }
      }
      if (finger.scrolling) module.wheel(0, (y - finger.lastY) / wheelLinePx);
      else module.pointer(x, y, true);
      finger.lastY = y;
      scheduler.invalidate(2);
    },
    pointerup(event) {
      if (event.pointerId !== finger?.id) return;
      if (!finger.pressed && !finger.scrolling) press();
      if (finger.pressed) return lift();
      module.pointer(far, far, true);
      finger = null;
      scheduler.invalidate();
    },
    // The page took the finger for scrolling. A press that was sent is ended where nothing is clicked.
    pointercancel(event) {
      if (event.pointerId !== finger?.id) return;
      module.pointer(far, far, true);
      if (finger.pressed) lift();
      finger = null;
      scheduler.invalidate();
    },
  };

  for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel']) {
    listen(type, (event) => (event.pointerType === 'touch' ? touch : mouse)[type](event));
  }
  listen('pointerleave', (event) => {
    if (event.pointerType === 'touch') return;
    module.pointer(far, far, false);
    scheduler.invalidate(2);
  });
  listen('touchmove', (event) => {
    if (finger?.pressed || finger?.scrolling || module.wantsVerticalTouch()) event.preventDefault();
  }, {passive: false});
}

/** A list scrolls by five lines of its font a notch; so much of a finger's way is one notch. */
const wheelLinePx = 80;
