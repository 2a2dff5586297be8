// Pictures of every width, theme and language in build/screenshots, for people to look at; what a program can judge is
// asserted.
import assert from 'node:assert/strict';
import {mkdirSync} from 'node:fs';
import {after, before, test} from 'node:test';

import {startBrowser} from './support/browser.mjs';
import {languages} from './support/words.mjs';

const pictures = new URL('../../build/screenshots/', import.meta.url).pathname;
const screens = [
  {width: 360, height: 780, deviceScaleFactor: 3},
  {width: 700, height: 900, deviceScaleFactor: 1.5},
  {width: 1200, height: 900, deviceScaleFactor: 1},
];

let browser;
before(async () => {
  mkdirSync(pictures, {recursive: true});
  browser = await startBrowser();
});
after(() => browser.close());

for (const {width, height, deviceScaleFactor} of screens) {
  test(`is sharp and fits a window ${width} px wide, in either theme and every language`, async () => {
    const view = await browser.open('', {viewport: {width, height}, deviceScaleFactor});
    for (const [index, language] of [...languages].entries()) {
      const theme = ['dark', 'light'][index % 2];
      await view.page.evaluate((hash) => { location.hash = hash; },
        `#v=1&task=qlora&model=llama-3.1-8b&gpu_count=2&lang=${language}&theme=${theme}`);
      await view.page.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, theme);
      await view.settled();
      const size = await view.ask(({canvas}) => ({
        pixels: [canvas.width, canvas.height],
        css: [canvas.clientWidth, canvas.clientHeight],
        longest: canvas.getContext('webgl2').getParameter(WebGL2RenderingContext.MAX_TEXTURE_SIZE),
        drawn: canvas.getContext('webgl2').drawingBufferHeight,
        pageWidth: document.documentElement.scrollWidth,
      }));
      const ratio = Math.min(deviceScaleFactor, size.longest / size.css[1]);
      assert.deepEqual(size.pixels, size.css.map((length) => Math.round(length * ratio)));
      assert.equal(size.drawn, size.pixels[1]);
      assert.equal(size.pageWidth, width);
      await view.page.screenshot({path: `${pictures}${width}-${theme}-${language}.png`, fullPage: true});
    }
    assert.deepEqual(view.complaints, []);
    await view.close();
  });
}

test('follows the theme of the system while the page is open', async () => {
  const view = await browser.open('', {colorScheme: 'light'});
  const corner = () => view.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await view.page.locator('canvas').screenshot();
  assert.equal(await corner(), 'rgb(246, 247, 249)');
  await view.page.emulateMedia({colorScheme: 'dark'});
  await view.settled();
  assert.equal(await corner(), 'rgb(16, 20, 24)');
  assert.ok(!light.equals(await view.page.locator('canvas').screenshot()));
  await view.close();
});

test('stays sharp when the window changes', async () => {
  const view = await browser.open('', {viewport: {width: 1200, height: 900}});
  await view.page.setViewportSize({width: 640, height: 900});
  await view.until(({canvas, idle}) => idle && canvas.width === canvas.clientWidth && canvas.width <= 640);
  assert.ok(await view.ask(({canvas}) => canvas.height === canvas.clientHeight));
  await view.close();
});
