import { ask } from "../asking.js";
import { words } from "../localise.js";
import { element } from "../shared/questions/card_elements.js";

const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) if (isIntersecting) load(target);
});

/** Put the images that went with a message into their place: each is fetched once it is to be seen. */
export function showPictures(place, ids) {
  if (place.childElementCount) return; // a message's images never change
  place.append(...ids.map((id, index) => picture(id, words("image", index + 1, ids.length))));
}

/** Opens it in the Control UI, which is the way to it, too, where it can't be shown. */
function picture(id, alt) {
  const image = element("img", { className: "picture__image", alt, "data-id": id });
  seen.observe(image);
  return element("a", { className: "picture", href: `/api/images/${id}/` }, image);
}

async function load(image) {
  seen.unobserve(image);
  const address = await ask("picture", { id: image.dataset.id }).catch(() => null);
  if (address) image.src = address;
}
