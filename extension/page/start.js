// One object, which is ours whatever the page calls its elements: `<form id=askwebPage>` is no property of its own.
if (!Object.hasOwn(globalThis, "askwebPage")) {
  const modules = {};
  const define = (name, make) => {
    modules[name] ??= make(modules);
  };
  Object.defineProperty(globalThis, "askwebPage", { value: { define } });
  // Readability asks whether there is a `module`, and `<iframe name=module>` would answer.
  Object.defineProperty(globalThis, "module", { value: undefined, writable: true });
}
