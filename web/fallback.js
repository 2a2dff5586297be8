// Where nothing can be drawn the visitor gets a plain message and the answer as text; the page is never blank.

/** Replaces the canvas by words. The text of the answer is already there. */
export function showAsText({container, frame, instructions, live, message, details}, words) {
  frame.remove();
  instructions.remove();
  live.remove();
  message.textContent = words;
  details.open = true;
  container.dataset.state = 'text';
}

/** Where not even the module could be loaded: the page's own message, written in its HTML. */
export function showFailure(container) {
  container.dataset.state = 'failed';
}
