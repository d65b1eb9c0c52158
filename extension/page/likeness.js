/** How like two texts are, from 0 to 1, in any script: the share of their pairs of characters that both have (Dice). */
askwebPage.define("likeness", () => {
  function to(text) {
    const own = pairsOf(text);
    return (other) => share(own, pairsOf(other));
  }

  function share(one, other) {
    let common = 0;
    for (const [pair, count] of one.counts) common += Math.min(count, other.counts.get(pair) ?? 0);
    return one.size + other.size === 0 ? 0 : (2 * common) / (one.size + other.size);
  }

  function pairsOf(text) {
    const characters = [...text.toLowerCase()];
    const counts = new Map();
    for (let at = 1; at < characters.length; at += 1) {
      const pair = characters[at - 1] + characters[at];
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    return { counts, size: Math.max(0, characters.length - 1) };
  }

  return { to };
});
