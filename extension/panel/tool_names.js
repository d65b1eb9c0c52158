const PLAIN = "ask"; // what is asked without a tool

let names = new Map();

/** Learn what tools are called; messages that are shown already get their names. */
export function nameTools(root, tools) {
  names = new Map(tools.map(({ slug, name }) => [slug, name]));
  for (const label of root.querySelectorAll("[data-tool]")) nameTool(label, label.dataset.tool);
}

/** Say with what tool a message was asked: nothing where with none. */
export function nameTool(label, tool) {
  label.dataset.tool = tool ?? "";
  label.textContent = nameOf(tool);
  label.parentElement.hidden = !tool || tool === PLAIN;
}

export function nameOf(tool) {
  return names.get(tool) ?? tool ?? "";
}
