// A canvas gets no text: an unseen <input> does, with accents, input methods and the soft keyboard.

export function createAgent() {
  const agent = document.createElement('input');
  agent.className = 'vram-agent';
  agent.type = 'text';
  agent.tabIndex = -1;
  agent.autocomplete = 'off';
  agent.autocapitalize = 'off';
  agent.spellcheck = false;
  agent.enterKeyHint = 'done';
  agent.setAttribute('aria-hidden', 'true');
  return agent;
}

export function followTyping({agent, module, scheduler, signal}) {
  const pass = () => {
    if (!agent.value) return;
    module.type(agent.value);
    agent.value = '';
    scheduler.invalidate();
  };
  agent.addEventListener('input', (event) => {
    if (!event.isComposing) pass();
  }, {signal});
  agent.addEventListener('compositionend', pass, {signal});
}

/** Keeps the agent where text is being typed, with the focus only while it is. */
export function placeAgent({canvas, agent, hasFocus, activeElement}, report) {
  if (report.textWanted && hasFocus()) {
    agent.style.left = `${report.textX}px`;
    agent.style.top = `${report.textY}px`;
    agent.inputMode = report.textNumeric ? 'decimal' : 'text';
    if (activeElement() !== agent) agent.focus({preventScroll: true});
  } else if (!report.textWanted && activeElement() === agent) {
    canvas.focus({preventScroll: true});
  }
}
