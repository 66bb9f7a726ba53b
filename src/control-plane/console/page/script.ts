// The script of the console, as it is sent: it keeps the live part of a page fresh and copies text; every page works without it.

export const SCRIPT: string = `'use strict';
(() => {
  const byId = (id) => document.getElementById(id);

  // Reloads a page from the back/forward cache, which may show a secret or a session that has ended.
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
  if (!live?.dataset.url) return;
  const toggle = byId('live-toggle');
  const isOn = () => toggle.getAttribute('aria-pressed') === 'true';

  const alike = (old, fresh) => old.nodeName === fresh.nodeName && old.id === fresh.id;

  // Replaces only nodes that differ, so that focus and selection stay.
  const follow = (old, fresh) => {
    if (old.isEqualNode(fresh)) return;
    if (old.nodeType !== Node.ELEMENT_NODE) return void (old.nodeValue = fresh.nodeValue);
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    const [before, after] = [[...old.childNodes], [...fresh.childNodes]];
    if (before.length !== after.length || before.some((node, at) => !alike(node, after[at]))) return old.replaceChildren(...after);
    before.forEach((node, at) => follow(node, after[at]));
  };

  const sayings = () => new Map([...live.querySelectorAll('[data-say]')].map((node) => [node.id, node.dataset.say]));

  const show = (text) => {
    const fresh = new DOMParser().parseFromString('<div id="live">' + text + '</div>', 'text/html').getElementById('live');
    const focused = live.contains(document.activeElement) ? document.activeElement.id : '';
    const before = sayings();
    fresh.dataset.url = live.dataset.url;
    showCopyButtons(fresh);
    follow(live, fresh);
    if (focused && document.activeElement === document.body) byId(focused)?.focus({ preventScroll: true });
    const said = [...sayings()].filter(([id, say]) => before.has(id) && before.get(id) !== say).map(([, say]) => say);
    if (said.length > 0) byId('said').textContent = said.join('. ');
  };

  let state = 'none';
  let isLooking = false;
  let timer;

  // Fetches the live part. After a change, fetches again soon, because operations may still run.
  const look = async () => {
    if (isLooking || !isOn() || document.hidden) return;
    isLooking = true;
    clearTimeout(timer);
    let isChanged = false;
    try {
      const reply = await fetch(live.dataset.url, { headers: { 'X-State': state } });
      // The session or the resource is gone: the reloaded page says which.
      if (reply.status === 401 || reply.status === 404) return location.reload();
      if (!reply.ok) throw new Error(reply.statusText);
      byId('lost').hidden = true;
      isChanged = reply.status !== 204;
      if (isChanged) {
        show(await reply.text());
        state = reply.headers.get('X-State');
      }
    } catch {
      byId('lost').hidden = false;
    }
    isLooking = false;
    timer = setTimeout(look, isChanged ? 250 : 1000);
  };

  toggle.hidden = false;
  toggle.addEventListener('click', () => {
    toggle.setAttribute('aria-pressed', String(!isOn()));
    look();
  });
  document.addEventListener('visibilitychange', look);
  look();
})();
`;
