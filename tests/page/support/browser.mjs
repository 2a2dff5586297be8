// A Chromium that draws in software, and the finished page in it. Tests wait on what the page says of itself, never on
// time alone: software drawing is slow.
import {chromium} from 'playwright-core';

import {serve} from '../../../web/server.mjs';

const site = process.env.VRAM_SITE ?? 'build/site';
const patienceMs = 90_000;  // of a machine that compiles at the same time
const flags = [
  '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run',
];

/** {open(hash, context options), close()}; `extraFlags` for Chromium. */
export async function startBrowser(extraFlags = []) {
  const server = await serve(site);
  const browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: [...flags, ...extraFlags]});
  return {
    open: (hash, options) => openPage(browser, server.address, hash, options),
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

/**
 * options: those of browser.newContext(), and before(page): what to do before the page is loaded; ready: false when the
 * calculator is not expected to draw.
 */
async function openPage(browser, address, hash = '', {before, ready = true, ...options} = {}) {
  const context = await browser.newContext({viewport: {width: 1200, height: 900}, locale: 'en-GB', ...options});
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await before?.(page);
  await page.goto(address + hash);
  const view = new View(page, complaints, address);
  if (options.javaScriptEnabled === false) return view;
  await view.started();
  if (ready) await view.settled();
  return view;
}

/** One open page. */
export class View {
  constructor(page, complaints, address) {
    this.page = page;
    this.complaints = complaints;
    this.address = address;
  }

  /** The page exports its calculator: tests hold it without anything on `window`. */
  async started() {
    this.calculator = await this.page.evaluateHandle(async () => {
      const script = document.querySelector('script[type=module][src$="page.js"]');
      return (await import(script.src)).calculator;
    });
  }

  /** Resolves when nothing is left to draw. */
  async settled() {
    await this.page.waitForFunction((calculator) => calculator.idle, this.calculator, {polling: 50});
  }

  /** Runs `ask` on the calculator within the page. */
  ask(ask, value) {
    return this.calculator.evaluate(ask, value);
  }

  /** Waits until `ask` of the calculator is true. */
  async until(ask, value) {
    await this.page.waitForFunction(ask, value === undefined ? this.calculator : [this.calculator, value], {polling: 50});
  }

  /** The control of that role whose label begins so, with its place in the window. */
  async control(role, label) {
    await this.settled();
    const {found, all} = await this.ask((calculator, [wantedRole, wantedLabel]) => {
      const box = calculator.canvas.getBoundingClientRect();
      const {controls} = calculator.drawn;
      const one = controls.find((each) => each.role === wantedRole && each.label.startsWith(wantedLabel));
      return {found: one && {...one, x: one.x + box.x, y: one.y + box.y},
        all: controls.map((each) => `${each.role} ${each.label}`)};
    }, [role, label]);
    if (!found) throw new Error(`No ${role} "${label}" among: ${all.join(', ')}`);
    return found;
  }

  /** The same, scrolled into the middle of the window first. */
  async reach(role, label) {
    const {y} = await this.control(role, label);
    await this.page.evaluate((top) => scrollBy(0, top - innerHeight / 2), y);
    return this.control(role, label);
  }

  /** The state in the address as [key, value] pairs, the page's own keys and the version left out. */
  state() {
    const hash = new URL(this.page.url()).hash.slice(1);
    return [...new URLSearchParams(hash)].filter(([key]) => !['v', 'lang', 'theme', 'text', 'catalog'].includes(key));
  }

  close() {
    return this.page.context().close();
  }
}
