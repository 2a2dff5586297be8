import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';

import {startBrowser} from './support/browser.mjs';
import {word} from './support/words.mjs';

const phone = {viewport: {width: 360, height: 640}, deviceScaleFactor: 2, hasTouch: true, isMobile: true};
const start = '#v=1&task=inference&model=llama-3.1-8b&context=8192';

let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

const request = (view) => view.ask((calculator) => calculator.request);
const scrolled = (view) => view.page.evaluate(() => scrollY);

/** Moves a finger in steps, as a hand does. */
async function drag(view, from, to) {
  const hand = await view.page.context().newCDPSession(view.page);
  const touch = (type, ...touchPoints) => hand.send('Input.dispatchTouchEvent', {type, touchPoints});
  await touch('touchStart', from);
  const steps = 8;
  for (let step = 1; step <= steps; ++step) {
    const share = step / steps;
    await touch('touchMove', {x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share});
  }
  await touch('touchEnd');
  await hand.detach();
}

/** A point on the slider, scrolled into the middle of the window. */
async function onSlider(view) {
  const slider = await view.reach('slider', word('field.context'));
  return {x: slider.x + slider.width / 2, y: slider.y + slider.height / 2, width: slider.width};
}

test('a finger that moves up over a slider scrolls the page and changes nothing', async () => {
  const view = await browser.open(start, phone);
  const point = await onSlider(view);
  const [earlier, from] = [await request(view), await scrolled(view)];
  await drag(view, point, {x: point.x + 3, y: point.y - 200});
  await view.page.waitForFunction((y) => scrollY > y + 100, from);
  await view.settled();
  assert.deepEqual(await request(view), earlier);
  await view.close();
});

test('a finger that moves sideways over a slider changes its value and scrolls nothing', async () => {
  const view = await browser.open(start, phone);
  const point = await onSlider(view);
  const from = await scrolled(view);
  await drag(view, point, {x: point.x + point.width / 4, y: point.y + 8});
  await view.until((calculator) => calculator.request.context > 8192);
  await view.settled();
  assert.equal(await scrolled(view), from);
  await view.close();
});

test('a tap presses, once', async () => {
  const view = await browser.open('#v=1&model=llama-3.1-8b&gpu_count=2', phone);
  const {x, y, width, height} = await view.reach('value', word('field.gpu_count'));
  const plus = {x: x + width + height / 2, y: y + height / 2};
  await view.page.touchscreen.tap(plus.x, plus.y);
  await view.until((calculator) => calculator.request.gpu_count !== 2);
  await view.settled();
  assert.equal((await request(view)).gpu_count, 3);
  await view.close();
});

test('the wheel over the canvas scrolls the page', async () => {
  const view = await browser.open(start, {viewport: {width: 700, height: 500}});
  const earlier = await request(view);
  const slider = await onSlider(view);
  const from = await scrolled(view);
  await view.page.mouse.move(slider.x, slider.y);
  await view.page.mouse.wheel(0, 150);
  await view.page.waitForFunction((y) => scrollY > y + 50, from);
  await view.settled();
  assert.deepEqual(await request(view), earlier);
  await view.close();
});

test('the wheel over an open list scrolls the list and not the page', async () => {
  const view = await browser.open(start, {viewport: {width: 700, height: 500}});
  const model = await view.reach('select', word('field.model'));
  await view.page.mouse.click(model.x + 30, model.y + model.height / 2);
  await view.settled();
  const options = () => view.ask((calculator) => calculator.drawn.controls.filter(({role}) => role === 'option'));
  const shown = await options();
  assert.ok(shown.length > 3);
  const from = await scrolled(view);
  const box = await view.page.locator('canvas').boundingBox();
  await view.page.mouse.move(box.x + shown[2].x + 40, box.y + shown[2].y + 10);
  await view.page.mouse.wheel(0, 200);
  await view.until((calculator) => calculator.idle);
  const names = (list) => list.map(({label}) => label).join();
  await view.page.waitForFunction(([calculator, before]) =>
    calculator.drawn.controls.filter(({role}) => role === 'option').map(({label, y}) => label + y).join() !== before,
  [view.calculator, shown.map(({label, y}) => label + y).join()], {polling: 50});
  assert.ok(names(await options()));
  assert.equal(await scrolled(view), from);
  await view.close();
});
