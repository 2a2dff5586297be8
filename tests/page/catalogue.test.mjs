// A site's own catalogue at run time: merged or in place of the shipped one, its faults told, the page never lost.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';

import {startBrowser} from './support/browser.mjs';

const machine = {
  id: 'shop-1', name: 'Shop One', gpus: [{gpu: 'geforce-rtx-5090', count: 1, lanes: 16}], platform: 'am5-ryzen-9000',
  cpu: {class: 'Ryzen 9', cores: 16, sustained_w: 230}, ram: {gb: 128, modules: 2, type: 'UDIMM', channels: 2},
  drives: [{role: 'os', kind: 'NVMe Gen4 x4', tb: 1}, {role: 'data', kind: 'NVMe Gen5 x4', tb: 4}],
  psu: {units: 1, watts: 1200, input: '100-240V'}, chassis: {kind: 'tower', slots: 4}, price: '€ 5,490',
};

let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

/** Opens the page with `#catalog=shop.json`, which the site answers with `body`. */
async function openWith(body, {hash = '#catalog=shop.json', address = '**/shop.json', status = 200} = {}) {
  const told = [];
  const view = await browser.open(hash, {
    before: async (page) => {
      await page.route(address, (route) => route.fulfill({status, contentType: 'application/json', body}));
      await page.exposeFunction('tellFaults', (detail) => told.push(detail));
      await page.addInitScript(() =>
        addEventListener('vram-catalogue', (event) => window.tellFaults(event.detail)));
    },
  });
  const ids = await view.ask((calculator) => calculator.answer.configurations.map(({id}) => id));
  return {view, told, ids};
}

test('a site\'s machines stand beside the shipped ones, or in their place', async () => {
  const merged = await openWith(JSON.stringify({configurations: [machine]}));
  assert.ok(merged.ids.includes('shop-1'));
  assert.ok(merged.ids.includes('cat-01'));
  assert.deepEqual(merged.told.map(({faults}) => faults), [[]]);
  assert.equal(new URLSearchParams(new URL(merged.view.page.url()).hash.slice(1)).get('catalog'), 'shop.json');
  await merged.view.close();

  const replaced = await openWith(JSON.stringify({replace: true, configurations: [machine],
    texts: {en: {'ui.machines': 'Our machines'}}}));
  assert.deepEqual(replaced.ids, ['shop-1']);
  const {texts} = await replaced.view.ask((calculator) => calculator.drawn);
  assert.ok(texts.some((text) => (text.text ?? text) === 'Our machines'));
  assert.deepEqual(replaced.view.complaints, []);
  await replaced.view.close();
});

test('a faulty catalogue is told by event and console, and costs only the faulty entry', async () => {
  const wrong = {...machine, id: 'shop-2', platform: 'am6'};
  const {view, told, ids} = await openWith(JSON.stringify({configurations: [machine, wrong]}, null, 1));
  assert.ok(ids.includes('shop-1') && !ids.includes('shop-2'));
  assert.equal(told.length, 1);
  assert.match(told[0].faults[0].where, /configurations\[1\]\.platform/);
  assert.match(told[0].faults[0].message, /am6/);
  assert.ok(told[0].faults[0].line > 1);
  assert.ok(view.complaints.some((text) => text.includes('am6')));
  await view.close();
});

test('a catalogue that is missing, no JSON or of another site leaves the shipped one', async () => {
  for (const [body, options] of [['', {status: 404}], ['{"configurations": [', {}]]) {
    const {view, told, ids} = await openWith(body, options);
    assert.equal(ids.length, 24);
    assert.equal(told[0].faults.length, 1);
    await view.close();
  }
  const other = await openWith(JSON.stringify({replace: true, configurations: [machine]}),
    {hash: '#catalog=https://elsewhere.example/shop.json', address: 'https://elsewhere.example/**'});
  assert.equal(other.ids.length, 24);
  assert.deepEqual(other.told, []);
  await other.view.close();
});
