// Notes what a page shows after each change, with the time in milliseconds since 1970.
window.records = [];
window.violations = [];
{
  const text = selector => document.querySelector(selector)?.textContent;
  const isShown = selector => document.querySelector(selector)?.getClientRects().length > 0;
  const note = () => window.records.push({
    at: performance.timeOrigin + performance.now(), home: text(".home .digits"),
    spoken: text("#spoken"), stale: isShown(".stale"), gone: isShown(".gone"), hidden: document.hidden,
  });
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(note).observe(document, all);
  document.addEventListener("visibilitychange", note);
  document.addEventListener("securitypolicyviolation", event =>
    window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
  note();
}
