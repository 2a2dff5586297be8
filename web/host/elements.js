// The elements of one calculator. All live in its container, so that a page may hold several.
import {createAgent} from './text_agent.js';

let count = 0;

function make(tag, className, attributes = {}) {
  const element = document.createElement(tag);
  element.className = className;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

export function createElements(container) {
  const number = ++count;
  const elements = {
    container,
    skip: make('a', 'vram-skip', {href: '#answer'}),
    instructions: make('p', 'vram-unseen', {id: `vram-instructions-${number}`}),
    frame: make('div', 'vram-frame'),
    canvas: make('canvas', 'vram-canvas', {
      tabindex: '0', role: 'application', 'aria-describedby': `vram-instructions-${number}`,
    }),
    agent: createAgent(),
    live: make('div', 'vram-unseen', {role: 'status', 'aria-live': 'polite'}),
    message: make('p', 'vram-message', {role: 'alert'}),
    answer: make('section', 'vram-answer', {tabindex: '-1', 'aria-labelledby': `vram-answer-${number}`}),
    answerTitle: make('h2', 'vram-answer-title', {id: `vram-answer-${number}`}),
    summary: make('p', 'vram-summary'),
    details: make('details', 'vram-details'),
    detailsTitle: make('summary', 'vram-details-title'),
    table: make('pre', 'vram-table', {tabindex: '0'}),
  };
  const {skip, instructions, message, frame, canvas, agent, live, answer} = elements;
  frame.append(canvas, agent);
  elements.details.append(elements.detailsTitle, elements.table);
  answer.append(elements.answerTitle, elements.summary, elements.details);
  elements.all = [skip, instructions, message, frame, live, answer];
  container.append(...elements.all);
  // Not by the address: that holds the state.
  skip.addEventListener('click', (event) => {
    event.preventDefault();
    answer.focus();
  });
  return elements;
}

/** Words in the visitor's language. */
export function labelElements(elements, word) {
  elements.skip.textContent = word('host.skip');
  elements.instructions.textContent = word('host.instructions');
  elements.canvas.setAttribute('aria-label', word('host.label'));
  elements.answerTitle.textContent = word('host.answer');
  elements.detailsTitle.textContent = word('host.details');
}

/** Where the focus is, also within a shadow root. */
export function focusOf({container, canvas, agent}) {
  const activeElement = () => container.getRootNode().activeElement;
  return {activeElement, hasFocus: () => [canvas, agent].includes(activeElement())};
}
