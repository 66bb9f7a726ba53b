// The script of the console, as it is sent: it keeps operations live and copies a key; every page works without it.

export const SCRIPT: string = `'use strict';
(() => {
  const OPEN_MS = 1000;
  const QUIET_MS = 5000;
  const byId = (id) => document.getElementById(id);

  // A page that comes back from the browser's memory may show a secret, or a session that has ended.
  addEventListener('pageshow', (event) => { if (event.persisted) location.reload(); });

  for (const button of document.querySelectorAll('[data-copy]')) {
    const source = byId(button.dataset.copy);
    button.hidden = false;
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(source.textContent);
        byId('copied').textContent = 'Copied.';
      } catch {
        getSelection().selectAllChildren(source);
        byId('copied').textContent = 'Selected: copy it with the keyboard or the menu.';
      }
    });
  }

  const live = byId('live');
  if (!live) return;
  const toggle = byId('live-toggle');
  let timer = 0;
  let busy = false;

  const rowsOf = (part) => [...part.querySelectorAll('tr[id]')];

  // Replaces what differs, row by row where the rows are the same ones, and says aloud what came to another status.
  const patch = (old, fresh) => {
    const before = new Map(rowsOf(old).map((row) => [row.id, row]));
    const after = rowsOf(fresh);
    const news = after
      .filter((row) => before.has(row.id) && before.get(row.id).dataset.say !== row.dataset.say)
      .map((row) => row.dataset.say);
    const sameRows = [...before.keys()].join() === after.map((row) => row.id).join();
    if (!sameRows) old.replaceWith(fresh);
    else for (const row of after) if (!row.isEqualNode(before.get(row.id))) before.get(row.id).replaceWith(row);
    return news;
  };

  const show = (text) => {
    const fresh = new DOMParser().parseFromString(text, 'text/html').getElementById('live');
    if (!fresh) return location.reload();
    const focused = live.contains(document.activeElement) ? document.activeElement.id : '';
    const news = [...fresh.children].flatMap((part) => {
      const old = byId(part.id);
      return old ? patch(old, part) : [];
    });
    live.dataset.open = fresh.dataset.open;
    if (focused && document.activeElement === document.body) byId(focused)?.focus({ preventScroll: true });
    if (news.length > 0) byId('said').textContent = news.join('. ');
  };

  const look = async () => {
    if (busy) return;
    busy = true;
    try {
      const response = await fetch(live.dataset.url, { redirect: 'error', signal: AbortSignal.timeout(10000) });
      if (response.status === 401 || response.status === 404) return location.reload();
      if (!response.ok) throw new Error(String(response.status));
      show(await response.text());
      byId('lost').hidden = true;
    } catch {
      byId('lost').hidden = false;
      live.dataset.open = '0';
    } finally {
      busy = false;
    }
    plan();
  };

  const isOn = () => toggle.getAttribute('aria-pressed') === 'true' && !document.hidden;
  const plan = () => {
    clearTimeout(timer);
    if (isOn()) timer = setTimeout(look, live.dataset.open === '0' ? QUIET_MS : OPEN_MS);
  };

  toggle.hidden = false;
  toggle.addEventListener('click', () => {
    toggle.setAttribute('aria-pressed', String(toggle.getAttribute('aria-pressed') !== 'true'));
    if (isOn()) look();
    else plan();
  });
  document.addEventListener('visibilitychange', () => { if (isOn()) look(); else plan(); });
  plan();
})();
`;
