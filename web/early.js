// Before the first paint: the address may ask for another language or theme than the browser's.
import {readAddress} from './host/address.js';
import {dressPage} from './host/appearance.js';

dressPage(readAddress());
