import { Controller } from "askweb/controllers.js";
import { forgetDrafts } from "askweb/kept.js";

export class SignOut extends Controller {
  connect() {
    this.on(this.element, "submit", forgetDrafts);
  }
}
