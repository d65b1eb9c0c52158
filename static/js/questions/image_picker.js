import { copyOf, part, word } from "askweb/page.js";
import { imageAddress } from "askweb/questions/transport.js";

const LIMIT = 4;

/** Images that go with an answer, picked as files or pasted. `say` shows what went wrong. */
export class ImagePicker {
  #root;
  #answering;
  #transport;
  #say;

  constructor(root, { answering, transport, say }) {
    this.#root = root;
    this.#answering = answering;
    this.#transport = transport;
    this.#say = say;
  }

  /** The images of a paste; false when it brings none, or text, too, as a spreadsheet's cells do. */
  paste(event) {
    const { files: pasted, types } = event.clipboardData ?? { files: [], types: [] };
    const files = [...pasted].filter((file) => file.type.startsWith("image/"));
    if (!files.length || types.includes("text/plain")) return false;
    part(this.#root, "more").open = true;
    this.add(files);
    return true;
  }

  async add(files) {
    for (const file of files) {
      if (this.#answering.images.length >= LIMIT) return this.#say(word("question_images_limit"));
      try {
        this.#show((await this.#transport.image(file)).id);
      } catch (problem) {
        if (problem.status === 404) part(this.#root, "attached").hidden = true;
        this.#say(problem.message);
      }
    }
  }

  #show(id) {
    this.#answering.images = [...this.#answering.images, id];
    const item = copyOf(part(this.#root, "image"));
    item.querySelector("img").src = imageAddress(id);
    part(item, "remove-image").addEventListener("click", () => this.#remove(id, item));
    part(this.#root, "images").append(item);
  }

  #remove(id, item) {
    this.#answering.images = this.#answering.images.filter((each) => each !== id);
    item.remove();
    part(this.#root, "files").focus();
  }
}
