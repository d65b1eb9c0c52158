import { keep, kept } from "askweb/kept.js";
import { copyOf, part, word } from "askweb/page.js";
import { imageAddress } from "askweb/questions/transport.js";
import { uploadImage } from "askweb/uploading.js";

const LIMIT = 4;
const BYTES = 5 * 1024 * 1024;

/** The images that go with the next message: picked as files, pasted or dropped, and kept by their ids. */
export class AttachedImages {
  #form;
  #key;
  #changed;
  #say;
  #coming = new Set(); // uploads under way

  /** `changed` is called when the ids change; `say` shows what went wrong. */
  constructor(form, { key, changed, say, signal }) {
    this.#form = form;
    this.#key = key;
    this.#changed = changed;
    this.#say = say;
    const on = (target, type, act) => target.addEventListener(type, act, { signal });
    on(part(form, "files"), "change", ({ target }) => this.#pick(target));
    on(form, "paste", (event) => this.#paste(event));
    on(form, "dragover", (event) => this.#drag(event));
    on(form, "dragleave", () => this.#drop());
    on(form, "drop", (event) => this.#drop(event));
    this.#restore();
  }

  get ids() {
    return [...this.#list.children].map((item) => item.dataset.id).filter(Boolean);
  }

  /** Resolves when nothing is on its way any more. */
  async settled() {
    while (this.#coming.size) await Promise.all(this.#coming);
  }

  clear() {
    this.#list.replaceChildren();
    this.#requireText();
    keep(this.#key, "");
  }

  #pick(input) {
    this.#add([...input.files]);
    input.value = "";
  }

  /** What brings text, too, such as a spreadsheet's cells, is meant as text. */
  #paste(event) {
    const { files, types } = event.clipboardData ?? { files: [], types: [] };
    const images = [...files].filter(({ type }) => type.startsWith("image/"));
    if (!images.length || types.includes("text/plain")) return;
    event.preventDefault();
    this.#add(images);
  }

  #drag(event) {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    this.#form.dataset.dragging = "";
  }

  #drop(event) {
    delete this.#form.dataset.dragging;
    if (!event?.dataTransfer.files.length) return;
    event.preventDefault();
    this.#add([...event.dataTransfer.files]);
  }

  #add(files) {
    this.#say("");
    for (const file of files) {
      if (this.#list.childElementCount >= LIMIT) return this.#say(word("question_images_limit"));
      if (file.size > BYTES) this.#say(word("image_too_large").replace("{name}", file.name));
      else this.#follow(this.#upload(file));
    }
  }

  #follow(upload) {
    this.#coming.add(upload);
    upload.finally(() => this.#coming.delete(upload));
  }

  async #upload(file) {
    const ending = new AbortController();
    const item = this.#show(URL.createObjectURL(file), ending);
    try {
      const tell = (share) => (part(item, "progress").value = share);
      const { id } = await uploadImage(file, { tell, signal: ending.signal });
      if (this.ids.includes(id)) return item.remove();
      item.dataset.id = id;
      this.#keep();
    } catch (problem) {
      if (ending.signal.aborted) return;
      item.remove();
      this.#requireText();
      this.#say(problem.message);
    }
  }

  #show(address, ending) {
    const item = copyOf(part(this.#form, "attached-template"));
    const image = item.querySelector("img");
    image.src = address;
    image.addEventListener("load", () => URL.revokeObjectURL(address));
    part(item, "remove-image").addEventListener("click", () => {
      ending?.abort();
      this.#remove(item);
      part(this.#form, "files").focus();
    });
    this.#list.append(item);
    this.#requireText();
    return item;
  }

  /** One that nothing was sent with may be gone from the server after a while. */
  #restore() {
    for (const id of (kept(this.#key) ?? "").split(" ").filter(Boolean)) {
      const item = this.#show(imageAddress(id));
      item.dataset.id = id;
      item.querySelector("img").addEventListener("error", () => this.#remove(item));
    }
  }

  #remove(item) {
    item.remove();
    this.#requireText();
    this.#keep();
  }

  /** An image may go without words. */
  #requireText() {
    this.#form.elements.text.required = !this.#list.childElementCount;
  }

  #keep() {
    keep(this.#key, this.ids.join(" "));
    this.#changed();
  }

  get #list() {
    return part(this.#form, "attached");
  }
}
