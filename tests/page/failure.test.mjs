import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';

import AxeBuilder from '@axe-core/playwright';

import {startBrowser} from './support/browser.mjs';
import {word} from './support/words.mjs';

const start = '#v=1&task=inference&model=llama-3.1-8b&context=8192';

let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

/** The page shows words only: which, and the answer among them. */
async function assertText(view, message) {
  await view.page.waitForSelector('#calculator[data-state=text]');
  assert.equal(await view.page.locator('canvas').count(), 0);
  assert.equal(await view.page.innerText('.vram-message'), message);
  assert.match(await view.page.innerText('.vram-summary'), /\d/);
  assert.match(await view.page.innerText('.vram-table'), /\d/);
}

/** The canvas's colours, right after a frame. */
const picture = (view) => view.page.locator('canvas').screenshot();

test('without WebGL the answer is there as text and follows the address', async () => {
  const plain = await startBrowser(['--disable-3d-apis']);
  try {
    const view = await plain.open(start, {ready: false});
    await assertText(view, word('host.no_webgl'));
    const earlier = await view.page.innerText('.vram-summary');
    await view.page.evaluate(() => { location.hash = '#v=1&task=full&model=llama-3.1-8b&lang=pt'; });
    await view.page.waitForFunction((text) => document.querySelector('.vram-summary').textContent !== text, earlier);
    await assertText(view, word('host.no_webgl', 'pt'));
    const {violations} = await new AxeBuilder({page: view.page}).analyze();
    assert.deepEqual(violations.map(({id, nodes}) => [id, nodes.map(({html}) => html)]), []);
  } finally {
    await plain.close();
  }
});

test('a lost context that comes back shows the same picture', async () => {
  const view = await browser.open(start);
  const earlier = await picture(view);
  await view.ask((calculator) => new Promise((resolve) => {
    const context = calculator.canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
    calculator.canvas.addEventListener('webglcontextlost', () => setTimeout(() => context.restoreContext()));
    calculator.canvas.addEventListener('webglcontextrestored', resolve);
    context.loseContext();
  }));
  await view.settled();
  assert.equal(await view.ask((calculator) => calculator.canvas.getContext('webgl2').getError()), 0);
  assert.ok(earlier.equals(await picture(view)));
  assert.deepEqual(view.complaints.filter((text) => !text.includes('CONTEXT_LOST')), []);
  await view.close();
});

test('a context lost for good leaves the last answer as text', async () => {
  const view = await browser.open(start);
  const summary = await view.ask((calculator) => calculator.text);
  await view.ask(({canvas}) => canvas.getContext('webgl2').getExtension('WEBGL_lose_context').loseContext());
  await assertText(view, word('host.graphics_lost'));
  assert.equal(await view.page.innerText('.vram-summary'), summary);
  await view.close();
});

test('an exception leaves the last answer as text', async () => {
  const breakLater = async (page) => page.route('**/host/module.js', async (route) => {
    const source = await (await route.fetch()).text();
    const body = source.replace(/\bframe\([\w, ]+\)\s*\{/, '$& if (document.title === "break") throw Error("broken");');
    assert.notEqual(body, source);
    await route.fulfill({body, contentType: 'text/javascript'});
  });
  const view = await browser.open(start, {before: breakLater});
  const summary = await view.ask((calculator) => calculator.text);
  await view.page.evaluate(() => { document.title = 'break'; });
  await view.page.mouse.move(300, 300);
  await assertText(view, word('host.error'));
  assert.equal(await view.page.innerText('.vram-summary'), summary);
  await view.close();
});

test('without its module the page says so', async () => {
  const view = await browser.open(start, {
    ready: false, locale: 'it-IT', before: (page) => page.route('**/vram.wasm', (route) => route.abort()),
  });
  await view.page.waitForSelector('#calculator[data-state=failed]');
  assert.ok(await view.page.isVisible('.failed [lang=it]'));
  assert.ok(await view.page.isHidden('.failed [lang=en]'));
  await view.close();
});
