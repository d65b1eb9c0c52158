/** The repository, the path in it, and the README or the file that a page of GitHub shows. */
askwebPage.define("github", ({ dom, markdown, cutting, limits }) => {
  const HOST = "github.com";
  const REPOSITORY = 'meta[name="octolytics-dimension-repository_nwo"]';
  const SITE = 'meta[property="og:site_name"][content="GitHub"]';
  const README = "#readme .markdown-body, article.markdown-body[itemprop=text], article.markdown-body.entry-content";
  const FILE = "textarea#read-only-cursor-text-area, textarea[aria-label='file content']";
  const LINES = ".react-code-text, .blob-code-inner, .blob-code";
  const TITLE = /^[^/\s]+\/(.+) at (\S+) · [\w.-]+\/[\w.-]+/; // repository/path at branch · owner/repository
  const NO_OWNERS = new Set(
    "about collections explore features login marketplace orgs search settings sponsors topics".split(" "),
  );

  function isHere(host) {
    return host === HOST || dom.query(document, SITE) !== null;
  }

  function read(copy, { title, url }) {
    const repository = repositoryOf(url);
    if (!repository) return null;
    const readme = copy.querySelector(README);
    const code = readme ? "" : codeOf(copy, url);
    if (!readme && !code) return null;
    return {
      id: "github",
      title,
      url,
      repository,
      path: pathOf(title, url),
      readme: readme ? markdown.asMarkdown(readme) : "",
      code,
    };
  }

  /** Elsewhere, the page knows better where its repositories are. */
  function repositoryOf(url) {
    const [owner, name] = segmentsOf(url);
    const written = owner && name && !NO_OWNERS.has(owner) ? `${owner}/${name}` : "";
    const meta = new URL(url).hostname === HOST ? null : dom.query(document, REPOSITORY);
    return meta ? dom.attribute(meta, "content").slice(0, limits.TITLE) : written;
  }

  /** The title tells it best: in URLs, branches may hold slashes, too. */
  function pathOf(title, url) {
    const [, named = ""] = TITLE.exec(title) ?? [];
    const [, , kind, , ...rest] = segmentsOf(url);
    const isFile = ["blob", "tree", "blame"].includes(kind);
    return named || (isFile ? rest.join("/") : "");
  }

  function segmentsOf(url) {
    return new URL(url).pathname.split("/").filter(Boolean).map(plain);
  }

  function plain(segment) {
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  }

  /** On GitHub itself, the whole file stands in a field behind the lines that are drawn. Elsewhere, it could be anything. */
  function codeOf(copy, url) {
    const field = new URL(url).hostname === HOST ? dom.query(document, FILE) : null;
    const lines = [...copy.querySelectorAll(LINES)].map((line) => line.textContent.replace(/\n$/, ""));
    return cutting.cut(field?.value || lines.join("\n"), limits.CONTENT);
  }

  return { isHere, read };
});
