import { post } from "askweb/api.js";
import { Controller } from "askweb/controllers.js";
import { conversationPage, part, word } from "askweb/page.js";

/** Posts an exported conversation and goes to what it has become. What is wrong with a file is said beside it. */
export class Importing extends Controller {
  connect() {
    this.on(this.element, "submit", (event) => this.#submit(event));
  }

  async #submit(event) {
    event.preventDefault();
    this.#say("");
    part(this.element, "import").disabled = true;
    try {
      const { id } = await post("/api/conversations/import/", await read(this.element.elements.file.files[0]));
      location.assign(conversationPage(id));
    } catch ({ message }) {
      this.#say(message);
      part(this.element, "import").disabled = false;
    }
  }

  #say(text) {
    const place = part(this.element, "problem");
    place.textContent = text;
    place.hidden = !text;
  }
}

async function read(file) {
  try {
    return JSON.parse(await file.text());
  } catch {
    throw new Error(word("not_json"));
  }
}
