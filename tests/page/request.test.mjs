import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';

import {startBrowser} from './support/browser.mjs';
import {answerOf, answersTo} from './support/command_line.mjs';
import {word} from './support/words.mjs';

let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

const memoryShown = (view) => view.ask((calculator) => calculator.answer.memory);

async function dragTo(view, slider, share) {
  const y = slider.y + slider.height / 2;
  await view.page.mouse.move(slider.x + slider.width * 0.2, y);
  await view.page.mouse.down();
  await view.page.mouse.move(slider.x + slider.width * share, y, {steps: 6});
  await view.page.mouse.up();
  await view.settled();
}

test('a slider dragged with the mouse changes the answer as the command line has it', async () => {
  const view = await browser.open('#v=1&task=inference&model=llama-3.1-8b&weights=bf16&context=2048');
  const earlier = await memoryShown(view);
  const summary = await view.ask((calculator) => calculator.text);
  const slider = await view.reach('slider', word('field.context'));
  await dragTo(view, slider, 0.9);
  await view.page.waitForURL(/context=(?!2048\b)\d+/);
  const shown = await memoryShown(view);
  assert.ok(shown.need.expected > earlier.need.expected);
  assert.deepEqual(shown, answerOf(view.state()).memory);
  assert.notEqual(await view.ask((calculator) => calculator.text), summary);
  assert.notEqual((await view.control('slider', word('field.context'))).value, slider.value);
  assert.deepEqual(view.complaints, []);
  await view.close();
});

test('the same link shows the number of the command line', async () => {
  const link = 'model=llama-3.2-3b&task=full&framework=torchtune&weights=bf16&precision=bf16&batch=2&context=4096' +
    '&checkpointing=none&attention=sdpa&loss=full_fp32&optimizer=adamw';
  const view = await browser.open(`#v=1&${link}`);
  assert.deepEqual(await view.ask((calculator) => calculator.answer), answerOf([...new URLSearchParams(link)]));
  await view.close();
});

test('a long session agrees with the command line to its end', async () => {
  const requests = [];
  for (const model of ['llama-3.2-3b', 'deepseek-v3', 'mistral-small-3.2-24b', 'gpt-oss-120b', 'qwen3.5-27b']) {
    for (const task of ['inference', 'development', 'serving', 'lora', 'qlora', 'full', 'pretrain']) {
      requests.push({model, task}, {model, task, gpu_count: 8}, {model, task, context: 131072});
    }
  }
  const view = await browser.open();
  const answers = await view.ask((calculator, all) => all.map((one) => calculator.estimate(one)), requests);
  assert.deepEqual(answers, answersTo(requests));
  await view.close();
});

test('an address that the page wrote opens as the same page', async () => {
  const view = await browser.open('#v=1&task=qlora&model=llama-3.1-8b&lora_rank=32&gpu_count=2&lang=it');
  await dragTo(view, await view.reach('slider', word('field.context', 'it')), 0.6);
  await view.page.waitForURL(/context=\d+/);
  assert.match(view.page.url(), /lora_rank=32.*lang=it/);
  const look = (one) => one.ask((calculator) => [calculator.link, calculator.request, calculator.text]);
  const again = await browser.open(new URL(view.page.url()).hash);
  assert.deepEqual(await look(again), await look(view));
  await again.close();
  await view.close();
});

test('a broken link opens and says what it ignored', async () => {
  const view = await browser.open('#v=1&task=knitting&model=llama-3.1-8b&context=-5&colour=red');
  assert.equal((await view.ask((calculator) => calculator.request)).model, 'llama-3.1-8b');
  const said = (await view.ask((calculator) => calculator.drawn.texts)).join('\n');
  for (const name of [/knitting/, /-5/, /colour/]) assert.match(said, name);
  assert.deepEqual(view.complaints, []);
  await view.close();
});

test('the page follows its address', async () => {
  const view = await browser.open('#v=1&model=llama-3.1-8b');
  await view.page.evaluate(() => { location.hash = '#v=1&model=llama-3.2-3b&theme=dark&lang=pt'; });
  await view.until((calculator) => calculator.request.model === 'llama-3.2-3b');
  await view.settled();
  assert.equal(await view.page.getAttribute('html', 'lang'), 'pt');
  const background = await view.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  assert.equal(background, 'rgb(16, 20, 24)');
  await view.close();
});

test('the language is the link\'s, else the browser\'s, else English', async () => {
  for (const [locale, hash, expected] of [['it-IT', '', 'it'], ['it-IT', '#lang=pt', 'pt'], ['pt-BR', '', 'pt'],
    ['de-DE', '', 'de'], ['ja-JP', '', 'en'], ['it-IT', '#lang=xx', 'it']]) {
    const view = await browser.open(hash, {locale});
    assert.equal(await view.page.getAttribute('html', 'lang'), expected);
    assert.equal(await view.page.getAttribute('canvas', 'aria-label'), word('host.label', expected));
    await view.close();
  }
});

test('a link to another language keeps the state', async () => {
  const view = await browser.open('#v=1&task=lora&model=llama-3.1-8b');
  const earlier = await view.ask((calculator) => calculator.request);
  await view.page.click('a[data-lang=it]');
  await view.settled();
  assert.equal(await view.page.getAttribute('canvas', 'aria-label'), word('host.label', 'it'));
  assert.match(view.page.url(), /lang=it/);
  assert.deepEqual(await view.ask((calculator) => calculator.request), earlier);
  await view.close();
});
