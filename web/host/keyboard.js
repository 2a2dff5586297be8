// Keys go to the calculator only while it has the focus, and only those that it uses. Tab comes in and goes out.
import {Focus, modifiers} from './module.js';

/** What would scroll the page or leave it. */
const withDefaultToPrevent = new Set(
  ['Tab', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' ', 'Backspace']);

export function followKeyboard({canvas, agent, module, scheduler, signal, hasFocus}) {
  const composing = (event) => event.isComposing || event.keyCode === 229;
  // The clipboard's own events do these.
  const isClipboardShortcut = (event) => (event.ctrlKey || event.metaKey) && /^[cvx]$/i.test(event.key);

  const keyDown = (event) => {
    if (composing(event) || isClipboardShortcut(event)) return;
    if (event.key === 'Tab' && !module.wantsTab(event.shiftKey)) return;  // on to the page's next element
    const typed = event.target === agent && event.key.length === 1 && !event.ctrlKey && !event.metaKey;
    if (typed || !module.key(event.key, true, modifiers(event))) return;
    if (withDefaultToPrevent.has(event.key)) event.preventDefault();
    if (event.key === 'Enter' || event.key === ' ') scheduler.drawNow();
    scheduler.invalidate();
  };

  const keyUp = (event) => {
    if (event.key === 'Meta' || event.key === 'Control') module.releaseKeys();  // the keys held with it report nothing
    else if (!composing(event)) module.key(event.key, false, modifiers(event));
    if (event.key === 'Enter' || event.key === ' ') scheduler.drawNow();
    scheduler.invalidate();
  };

  let focused = false;
  let byPointer = false;
  const gain = (event) => {
    if (focused) return;
    focused = true;
    module.focus(byPointer ? Focus.pointer : directionFrom(event.relatedTarget, canvas));
    scheduler.invalidate();
  };
  // The focus may only be on its way from the canvas to the text agent.
  const lose = () => setTimeout(() => {
    if (!focused || hasFocus() || signal.aborted) return;
    focused = false;
    module.focus(Focus.lost);
    scheduler.invalidate();
  });

  canvas.addEventListener('pointerdown', () => {
    byPointer = true;
    if (!hasFocus()) canvas.focus({preventScroll: true});
    byPointer = false;
  }, {capture: true, signal});
  for (const element of [canvas, agent]) {
    element.addEventListener('keydown', keyDown, {signal});
    element.addEventListener('keyup', keyUp, {signal});
    element.addEventListener('focus', gain, {signal});
    element.addEventListener('blur', lose, {signal});
  }
}

/** Whoever comes from an element behind the canvas goes backwards. */
function directionFrom(previous, canvas) {
  if (!canvas.matches(':focus-visible')) return Focus.pointer;
  const behind = previous && canvas.compareDocumentPosition(previous) & Node.DOCUMENT_POSITION_FOLLOWING;
  return behind ? Focus.backwards : Focus.forwards;
}
