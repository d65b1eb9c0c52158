/** A question and its answers, from the copy of a page of Stack Overflow or another site of Stack Exchange. */
askwebPage.define("stack_overflow", ({ markdown, cutting, plain_text: plainText }) => {
  const HOSTS =
    /(^|\.)(stackoverflow\.com|stackexchange\.com|superuser\.com|serverfault\.com|askubuntu\.com|mathoverflow\.net|stackapps\.com)$/;
  const BODY = ".js-post-body, .s-prose, .post-text, [itemprop=text]";

  function isHere(host, copy) {
    return (
      HOSTS.test(host) || copy.querySelector("#question[data-questionid] ~ #answers, .question-page #answers") !== null
    );
  }

  function read(copy, { title, url }) {
    const question = copy.querySelector("#question, .question");
    const body = question?.querySelector(BODY);
    if (!body) return null;
    const answers = [...copy.querySelectorAll("#answers .answer, .answer[data-answerid]")];
    return {
      id: "stackoverflow",
      title: titleOf(copy) || title,
      url,
      question: markdown.asMarkdown(body),
      answers: answers.map((answer) => answerOf(answer, url)).filter(({ body: text }) => text),
    };
  }

  function titleOf(copy) {
    const heading = copy.querySelector("#question-header h1, h1[itemprop=name], .question-hyperlink");
    return heading ? cutting.oneLine(plainText.asText(heading)) : "";
  }

  function answerOf(answer, pageUrl) {
    const body = answer.querySelector(BODY);
    return {
      body: body ? markdown.asMarkdown(body) : "",
      score: scoreOf(answer),
      accepted: isAccepted(answer),
      url: urlOf(answer, pageUrl),
    };
  }

  /** Null where votes are hidden, or no number. */
  function scoreOf(answer) {
    const votes = answer.querySelector(".js-vote-count, [itemprop=upvoteCount], .vote-count-post");
    const written = votes?.getAttribute("data-value") ?? (votes ? plainText.asText(votes) : "");
    const number = written.replace(/[\s,]/g, "").replace("−", "-");
    return /^[+-]?\d+$/.test(number) ? Number(number) : null;
  }

  function isAccepted(answer) {
    return answer.classList.contains("accepted-answer") || answer.getAttribute("itemprop") === "acceptedAnswer";
  }

  function urlOf(answer, pageUrl) {
    const share = answer.querySelector("a.js-share-link[href], a.short-link[href]");
    if (share) return share.getAttribute("href");
    const id = answer.getAttribute("data-answerid") ?? "";
    return /^\d+$/.test(id) ? new URL(`/a/${id}`, pageUrl).href : pageUrl;
  }

  return { isHere, read };
});
