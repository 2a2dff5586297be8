// Copy, cut and paste through the browser's own events, which need no permission. Nothing is read unasked.
import {isApple, modifiers} from './module.js';

const shortcut = modifiers({ctrlKey: !isApple, metaKey: isApple});
const keys = {copy: 'c', cut: 'x', paste: 'v'};

/** takeCopy(): the text that the last frames want on the clipboard, or ''. */
export function followClipboard({module, scheduler, signal, hasFocus, takeCopy}) {
  const handle = (event) => {
    if (!hasFocus()) return;
    if (event.type === 'paste') module.setClipboard(event.clipboardData.getData('text/plain'));
    const key = keys[event.type];
    module.key(key, true, shortcut);
    const text = takeCopy(() => scheduler.drawNow());
    module.key(key, false, 0);
    if (text) event.clipboardData.setData('text/plain', text);
    if (text || event.type === 'paste') event.preventDefault();  // else the browser copies what is selected on the page
    scheduler.invalidate();
  };
  for (const type of Object.keys(keys)) document.addEventListener(type, handle, {signal});
}

/** For a button's click. Resolves to whether the text is on the clipboard. */
export async function writeClipboard(text, container) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, container);  // a frame without permission, or a page without https
  }
}

function copyBySelection(text, container) {
  const field = document.createElement('textarea');
  field.className = 'vram-agent';
  field.value = text;
  const before = container.getRootNode().activeElement;
  container.append(field);
  field.select();
  const ok = document.execCommand('copy');
  field.remove();
  before?.focus({preventScroll: true});
  return ok;
}
