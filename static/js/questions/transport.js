import { get, post, put, upload } from "askweb/api.js";

/** How a panel of this page speaks with the server. Other surfaces bring a transport of their own. */
export function transportOf(id) {
  const path = `/api/questions/${id}/`;
  const from = { surface: "control_ui" };
  return {
    read: () => get(path),
    answer: (body) => post(`${path}answer/`, { ...body, ...from }),
    change: (body) => post(`${path}change/`, { ...body, ...from }),
    skip: (body) => post(`${path}skip/`, { ...body, ...from }),
    extend: (body) => post(`${path}extend/`, body),
    draft: (body) => put(`${path}draft/`, body),
    image: (file) => upload("/api/images/", "image", file),
  };
}

export function imageAddress(id) {
  return `/api/images/${id}/`;
}
