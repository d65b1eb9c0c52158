let title = document.title;
let count = 0;

/** The page's title, behind the number of questions that wait for the person. */
export function setTitle(text) {
  title = text;
  show();
}

export function setBadge(waiting) {
  count = waiting;
  show();
}

function show() {
  document.title = count ? `(${count}) ${title}` : title;
}
