/** Ends a question set by an answer or a skip, once. The same try again has the same id, so nothing counts twice. */
export class Sending {
  #transport;
  #newId;
  #tried = "";
  #id = "";
  isBusy = false;

  constructor(transport, newId) {
    this.#transport = transport;
    this.#newId = newId;
  }

  answer(body) {
    return this.#once("answer", body);
  }

  skip() {
    return this.#once("skip", {}); // whatever was typed
  }

  change(body) {
    return this.#once("change", body);
  }

  async #once(act, body) {
    const tried = act + JSON.stringify(body);
    if (tried !== this.#tried) this.#id = this.#newId();
    this.#tried = tried;
    this.isBusy = true;
    try {
      return await this.#transport[act]({ ...body, client_id: this.#id });
    } finally {
      this.isBusy = false;
    }
  }
}

/** `randomUUID` exists on secure origins only. */
export function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
