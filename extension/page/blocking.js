/** Hosts that are never read, as the server keeps them: lower case, IDNA, without port; each covers its subdomains. */
askwebPage.define("blocking", () => {
  function isBlocked({ location, origin }, blocked) {
    return [location.hostname, hostOf(origin)].some((host) => isCovered(bare(host), blocked));
  }

  /** A `blob:` page has no host of its own. */
  function hostOf(origin) {
    try {
      return new URL(origin).hostname;
    } catch {
      return "";
    }
  }

  function bare(host) {
    return host.replace(/\.$/, "").replace(/^\[|\]$/g, "");
  }

  function isCovered(host, blocked) {
    return blocked.some((each) => host === each || host.endsWith(`.${each}`));
  }

  return { isBlocked };
});
