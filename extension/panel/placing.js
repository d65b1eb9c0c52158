/** Move as little as possible: a moved element loses its focus and its selection. */
export function place(log, elements) {
  const wanted = new Set(elements);
  for (const element of [...log.children]) if (!wanted.has(element)) element.remove();
  elements.forEach((element, index) => {
    if (log.children[index] !== element) log.insertBefore(element, log.children[index] ?? null);
  });
}

/** The messages that lead to this one, oldest first; as far as they are among these. */
export function pathTo(head, messages) {
  const known = new Map(messages.map((message) => [message.id, message]));
  const path = [];
  for (let step = known.get(head); step; step = known.get(step.parent)) path.unshift(step);
  return path;
}
