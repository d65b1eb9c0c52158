import { Controller } from "askweb/controllers.js";
import { forgetDrafts } from "askweb/draft.js";

export class SignOut extends Controller {
  connect() {
    this.on(this.element, "submit", forgetDrafts);
  }
}
