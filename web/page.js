// The stand-alone page: one calculator, whose state is the address.
import {showFailure} from './fallback.js';
import {addressWith, addressWriter, bareAddress, readAddress} from './host/address.js';
import {dressPage} from './host/appearance.js';
import {Calculator} from './host/calculator.js';
import {catalogueAddress} from './host/catalogue.js';

const container = document.getElementById('calculator');

async function start() {
  try {
    const {default: createVram} = await import('./vram.mjs');
    const address = readAddress();
    return await Calculator.start(container, createVram, {
      ...address, address: bareAddress(), catalogue: catalogueAddress(container.dataset.catalog, address.catalog),
      changed: addressWriter(),
    });
  } catch (error) {
    console.error(error);
    showFailure(container);
    return null;
  }
}

/** Follows the address when the visitor edits it or goes back; the calculator's own changes cause no such event. */
function followAddress(calculator) {
  addEventListener('hashchange', () => {
    if (!calculator?.alive) return location.reload();
    const address = readAddress();
    dressPage(address);
    calculator.setLook(address);
    calculator.setLink(address.link);
  });
}

/** The links to the other languages keep the state. */
function followLanguageLinks(calculator) {
  for (const link of document.querySelectorAll('a[data-lang]')) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      const {lang} = link.dataset;
      history.replaceState(history.state, '', addressWith(calculator?.link ?? '', {lang}));
      const address = readAddress();
      dressPage(address);
      calculator?.setLook(address);
    });
  }
}

/** The calculator, or null when it could not start; for tests and whoever embeds this page. */
export const calculator = await start();
followAddress(calculator);
followLanguageLinks(calculator);
