import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';

import {startBrowser} from './support/browser.mjs';
import {word} from './support/words.mjs';

const start = '#v=1&task=inference&model=llama-3.1-8b&context=8192';

let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

const focused = (view) => view.page.evaluate(() => document.activeElement.className);

async function press(view, key) {
  await view.page.keyboard.press(key);
  await view.settled();
}

/** Presses a key and waits only until it was seen. */
async function pressBriefly(view, key) {
  const frames = await view.ask((calculator) => calculator.frames);
  await view.page.keyboard.press(key);
  if (!/vram-(canvas|agent)/.test(await focused(view))) return;
  await view.until(([calculator, before]) => calculator.frames > before, frames);
}

/** Presses Tab until the canvas is left; how often that was. */
async function tabThrough(view, key) {
  for (let count = 1; count < 80; ++count) {
    await pressBriefly(view, key);
    if (!/vram-(canvas|agent)/.test(await focused(view))) return count;
  }
  throw new Error(`${key} never leaves the canvas`);
}

test('Tab comes in, goes through every control and out at either end', async () => {
  const view = await browser.open(start);
  await press(view, 'Tab');
  assert.equal(await focused(view), 'vram-skip');
  await press(view, 'Tab');
  assert.equal(await focused(view), 'vram-canvas');
  const forwards = await tabThrough(view, 'Tab');
  assert.equal(await focused(view), 'vram-details-title');
  assert.ok(forwards > 5);
  await press(view, 'Shift+Tab');
  assert.equal(await focused(view), 'vram-canvas');
  const backwards = await tabThrough(view, 'Shift+Tab');
  assert.equal(await focused(view), 'vram-skip');
  assert.equal(backwards, forwards);
  await view.close();
});

test('arrows change a slider that Tab reached, and nothing else on the page', async () => {
  const view = await browser.open(start, {viewport: {width: 700, height: 500}});
  const slider = await view.reach('slider', word('field.context'));
  const clickable = {x: slider.x + slider.width / 2, y: slider.y + slider.height / 2};
  await view.page.mouse.click(clickable.x, clickable.y);
  await view.settled();
  const value = () => view.ask((calculator) => calculator.request.context);
  const first = await value();
  const from = await view.page.evaluate(() => scrollY);
  await press(view, 'ArrowRight');
  const second = await value();
  assert.ok(second > first);
  await press(view, 'ArrowLeft');
  assert.ok(await value() < second);
  assert.equal(await view.page.evaluate(() => scrollY), from);
  await view.close();
});

test('the control that the keyboard reaches is scrolled into view', async () => {
  const view = await browser.open(start, {viewport: {width: 360, height: 480}});
  await press(view, 'Tab');
  await press(view, 'Tab');
  for (let stop = 0; stop < 8; ++stop) await press(view, 'Tab');
  await view.page.waitForFunction(() => scrollY > 100);
  await view.close();
});

test('text is typed with accents and pasted into the search of a list; Escape closes it', async () => {
  const view = await browser.open(start);
  const model = await view.control('select', word('field.model'));
  await view.page.mouse.click(model.x + 30, model.y + model.height / 2);
  await view.settled();
  const search = async () => (await view.control('textbox', '')).value;
  await view.until((calculator) => calculator.drawn.controls.some(({role}) => role === 'textbox'));
  assert.equal(await focused(view), 'vram-agent');
  await view.page.keyboard.type('Mis');
  await view.settled();
  assert.equal(await search(), 'Mis');
  await view.page.keyboard.insertText('trál');
  await view.settled();
  assert.equal(await search(), 'Mistrál');
  await press(view, 'Backspace');
  assert.equal(await search(), 'Mistrá');
  await press(view, 'Control+a');
  await press(view, 'Control+x');
  assert.equal(await search(), '');
  await press(view, 'Control+v');
  assert.equal(await search(), 'Mistrá');
  await press(view, 'Escape');
  await view.until((calculator) => !calculator.drawn.controls.some(({popup}) => popup));
  assert.equal(await focused(view), 'vram-canvas');
  assert.equal((await view.ask((calculator) => calculator.request)).model, 'llama-3.1-8b');
  await view.close();
});

test('the button copies a link that opens the same state, and says so', async () => {
  const view = await browser.open(start, {permissions: ['clipboard-read', 'clipboard-write']});
  const {x, y, width, height} = await view.reach('button', word('ui.copy_link'));
  await view.page.mouse.click(x + width / 2, y + height / 2);
  await view.page.waitForFunction((text) => document.querySelector('[role=status]').textContent === text,
    word('host.copied'));
  const copied = await view.page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, `${view.address}#${await view.ask((calculator) => calculator.link)}`);
  await view.close();
});
