import { Controller } from "askweb/controllers.js";

/** A time that the server says in UTC, in the reader's time zone. */
export class Moment extends Controller {
  connect() {
    const { lang } = document.documentElement;
    const format = new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short" });
    this.element.textContent = format.format(new Date(this.element.dateTime));
  }
}
