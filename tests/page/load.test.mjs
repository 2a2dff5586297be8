import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';

import AxeBuilder from '@axe-core/playwright';

import {startBrowser} from './support/browser.mjs';
import {languages} from './support/words.mjs';

let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

test('opens under its content security policy, without a complaint, cookie, storage or second host', async () => {
  const asked = [];
  const view = await browser.open('', {before: (page) => page.on('request', (request) => asked.push(request.url()))});
  const {page} = view;
  assert.match(await page.getAttribute('meta[http-equiv=Content-Security-Policy]', 'content'), /default-src 'none'/);
  assert.equal(await page.getAttribute('#calculator', 'data-state'), 'ready');
  assert.deepEqual(view.complaints, []);
  assert.deepEqual(asked.filter((url) => !url.startsWith(view.address)), []);
  assert.deepEqual(await page.context().cookies(), []);
  assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
  await view.close();
});

test('draws nothing and asks for nothing while nothing happens', async () => {
  const view = await browser.open('', {
    before: (page) => page.addInitScript(() => {
      const request = window.requestAnimationFrame;
      window.animationFrames = 0;
      window.requestAnimationFrame = (callback) => {
        ++window.animationFrames;
        return request(callback);
      };
    }),
  });
  const counts = () => view.ask((calculator) => [calculator.frames, window.animationFrames]);
  await view.page.mouse.move(5, 5);
  await view.settled();
  const earlier = await counts();
  assert.ok(earlier[0] > 0 && earlier[1] > 0);
  await view.page.waitForTimeout(5000);
  assert.deepEqual(await counts(), earlier);
  await view.close();
});

test('says what it is without scripts, in three languages', async () => {
  const view = await browser.open('', {javaScriptEnabled: false});
  for (const language of languages) {
    assert.ok(await view.page.isVisible(`noscript p[lang=${language}]`));
    assert.ok((await view.page.textContent(`.about [lang=${language}]`)).includes('VRAM'));
  }
  await view.close();
});

test('has no fault that an accessibility checker finds', async () => {
  const view = await browser.open();
  const {violations} = await new AxeBuilder({page: view.page}).analyze();
  assert.deepEqual(violations.map(({id, nodes}) => [id, nodes.map(({html}) => html)]), []);
  await view.close();
});
