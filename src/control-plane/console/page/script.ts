// The script of the console, as it is sent: it keeps the live part of a page fresh and copies text; every page works without it.

export const SCRIPT: string = `'use strict';
(() => {
  const byId = (id) => document.getElementById(id);

  // A page from the back/forward cache may show a secret, or a session that has ended.
  addEventListener('pageshow', (event) => { if (event.persisted) location.reload(); });

  const showCopyButtons = (within) => {
    for (const button of within.querySelectorAll('[data-copy]')) button.hidden = false;
  };
  showCopyButtons(document);
  document.addEventListener('click', async (event) => {
    const name = event.target.closest('[data-copy]')?.dataset.copy;
    if (name === undefined) return;
    const source = byId(name + '-value');
    const said = byId(name + '-copied');
    try {
      await navigator.clipboard.writeText(source.textContent);
      said.textContent = 'Copied.';
    } catch {
      getSelection().selectAllChildren(source);
      said.textContent = 'Selected: copy it with the keyboard or the menu.';
    }
  });

  const live = byId('live');
  if (!live) return;
  const toggle = byId('live-toggle');
  let source;
  let wasOpen = false;

  const alike = (old, fresh) => old.nodeName === fresh.nodeName && old.id === fresh.id;

  // Makes the old part equal to the fresh one, and touches only nodes that differ: focus and selection stay.
  const follow = (old, fresh) => {
    if (old.isEqualNode(fresh)) return;
    const [before, after] = [[...old.childNodes], [...fresh.childNodes]];
    if (before.length !== after.length || before.some((node, at) => !alike(node, after[at]))) return old.replaceWith(fresh);
    if (old.nodeType !== Node.ELEMENT_NODE) return void (old.nodeValue = fresh.nodeValue);
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    before.forEach((node, at) => follow(node, after[at]));
  };

  const sayings = () => new Map([...live.querySelectorAll('[data-say]')].map((node) => [node.id, node.dataset.say]));

  const show = (text) => {
    const fresh = new DOMParser().parseFromString('<div id="live">' + text + '</div>', 'text/html').getElementById('live');
    const focused = live.contains(document.activeElement) ? document.activeElement.id : '';
    const before = sayings();
    const [olds, news] = [[...live.children], [...fresh.children]];
    showCopyButtons(fresh);
    if (olds.length === news.length && olds.every((part, at) => alike(part, news[at])))
      olds.forEach((part, at) => follow(part, news[at]));
    else live.replaceChildren(...news);
    if (focused && document.activeElement === document.body) byId(focused)?.focus({ preventScroll: true });
    const said = [...sayings()].filter(([id, say]) => before.has(id) && before.get(id) !== say).map(([, say]) => say);
    if (said.length > 0) byId('said').textContent = said.join('. ');
  };

  const isOn = () => toggle.getAttribute('aria-pressed') === 'true';
  const stop = () => { source?.close(); source = undefined; };
  const lost = (isLost) => { byId('lost').hidden = !isLost; };

  const start = () => {
    stop();
    if (!isOn() || document.hidden) return;
    byId('elsewhere').hidden = true;
    source = new EventSource(live.dataset.url);
    source.addEventListener('part', (event) => { wasOpen = true; lost(false); show(event.data); });
    // The session, or the resource of the page, is gone: the reloaded page says which.
    source.addEventListener('over', () => { stop(); location.reload(); });
    source.addEventListener('elsewhere', () => {
      stop();
      toggle.setAttribute('aria-pressed', 'false');
      byId('elsewhere').hidden = false;
    });
    source.addEventListener('error', () => {
      lost(true);
      if (source?.readyState !== EventSource.CLOSED) return;
      // The stream was refused, not interrupted: the reloaded page says why.
      stop();
      setTimeout(() => location.reload(), wasOpen ? 500 : 5000);
    });
  };

  toggle.hidden = false;
  toggle.addEventListener('click', () => {
    toggle.setAttribute('aria-pressed', String(!isOn()));
    start();
  });
  document.addEventListener('visibilitychange', start);
  addEventListener('pagehide', stop);
  start();
})();
`;
