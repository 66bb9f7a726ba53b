// What the console keeps out: forged forms, stolen or stale sessions, scripts, and names that are markup.
import { describe, expect, it } from 'vitest';
import { formOf, makeDesk, signedIn, type Visitor } from './requests.ts';
import { HOUR, MINUTE } from '../control-plane/world.ts';
import { HOSTILE, PRIMARY, REPLICA, SHOP } from './console-world.ts';

const HOSTILE_BRANCH = `/projects/${HOSTILE}/branches/br-odd-name-000001`;
const COMPUTE = `/projects/${SHOP}/computes/${PRIMARY}`;

const PAGES = [
  '/',
  '/?search=%3Cb%3E',
  `/projects/${SHOP}`,
  `/projects/${HOSTILE}`,
  HOSTILE_BRANCH,
  '/projects/none',
  COMPUTE,
  '/keys',
  '/log',
  '/reference',
  '/testing',
  formOf('createProjectBranch', { project_id: HOSTILE }),
  formOf('deleteProject', { project_id: '<img src=x>' }),
  formOf('updateProjectBranch', { project_id: HOSTILE, branch_id: 'br-odd-name-000001' }),
  formOf('createProjectBranchDatabase', { project_id: HOSTILE, branch_id: 'br-odd-name-000001' }),
  formOf('deleteProjectBranchRole', { project_id: HOSTILE, branch_id: 'br-odd-name-000001', role_name: '<img src=x>' }),
  formOf('updateProjectEndpoint', { project_id: SHOP, endpoint_id: PRIMARY }),
  formOf('revokeApiKey', { key_id: '165001' }),
  formOf('listProjects'),
];

/** Where the visit leads: "in" when the person is still signed in. */
const isIn = async (person: Visitor): Promise<boolean> => (await person.get('/keys')).status === 200;

describe('every answer', () => {
  it.each(PAGES)('forbids framing, sniffing, storing and anything inline: %s', async (path) => {
    const person = await makeDesk().person();
    const { headers, html } = await person.get(path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=(?!&quot;)|javascript:|<script(?![^>]*\ssrc="\/console\/)/i);
  });

  it('loads its files from paths that change with their content', async () => {
    const desk = makeDesk();
    const visitor = desk.visitor();
    const { html } = await visitor.get('/');
    const paths = [...html.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(paths).toHaveLength(3);
    for (const path of paths) {
      const { status, headers } = await visitor.get(path);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
  });
});

describe('a forged form changes nothing', () => {
  type Forgery = readonly [name: string, fields: Record<string, string>, headers: Record<string, string | undefined>];
  const FORGERIES: readonly Forgery[] = [
    ['no token', { token: '' }, {}],
    ['another token', { token: 'x'.repeat(43) }, {}],
    ['a foreign Origin', {}, { Origin: 'http://evil.example' }],
    ['the Origin of another port', {}, { Origin: 'http://127.0.0.1:4002' }],
    ['the Origin "null"', {}, { Origin: 'null' }],
    ['no Origin', {}, { Origin: undefined }],
    ['a browser that says same-site', {}, { 'Sec-Fetch-Site': 'same-site' }],
    ['a body that is no form', {}, { 'Content-Type': 'text/plain' }],
    ['a form too large', { name: 'x'.repeat(20_000) }, {}],
  ];
  const REQUESTS =
    'createApiKey createProject revokeApiKey deleteProject createProjectBranchRole getConnectionUri restartProjectEndpoint';
  const TARGETS = [
    ...REQUESTS.split(' ').map((operation) => `/requests/${operation}`),
    ...['enter', 'clock', 'switches'].map((change) => `/testing/${change}`),
  ];

  it.each(FORGERIES)('%s', async (_name, fields, headers) => {
    const { desk, person } = await signedIn();
    const before = desk.plane.ledger().length;
    for (const target of TARGETS) {
      const refused = await person.post(target, { key_name: 'stolen', ...fields }, headers);
      expect(refused.status, target).toBe(403);
      expect(refused.html).toContain('Nothing was done');
    }
    expect((await person.post('/sign-out', fields, headers)).status).toBe(403);
    expect(desk.plane.ledger()).toHaveLength(before);
    expect(await isIn(person)).toBe(true);
  });

  it("the token of another person's session", async () => {
    const desk = makeDesk();
    const [one, other] = [await desk.person(), await desk.person()];
    expect((await one.ask('createApiKey', { key_name: 'stolen', token: other.token })).status).toBe(403);
    expect((await one.ask('createApiKey', { key_name: 'mine' })).status).toBe(303);
  });
});

describe('signing in', () => {
  it('takes a valid key only, and never gives it back', async () => {
    const desk = makeDesk();
    const visitor = desk.visitor();
    for (const wrong of ['', 'napi_wrong', `${desk.key}x`, desk.key.slice(0, -1)]) {
      const refused = await visitor.post('/sign-in', { api_key: wrong });
      expect([refused.status, refused.headers.get('set-cookie')]).toEqual([401, null]);
      if (wrong !== '') expect(refused.html).not.toContain(wrong);
    }
    const entered = await visitor.post('/sign-in', { api_key: ` ${desk.key}\n` });
    expect(entered.status).toBe(303);
    expect(entered.headers.get('set-cookie')).toMatch(/^console-4001=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    for (const path of PAGES) expect((await visitor.get(path)).html).not.toContain(desk.key);
  });

  it.each([
    ['/keys', '/keys'],
    [`/projects/${SHOP}`, `/projects/${SHOP}`],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example/keys', '/'],
    ['/projects//evil', '/'],
    ['/api/v2/projects', '/'],
    ['/keys?x', '/'],
  ])('then leads within the console only: %s', async (next, to) => {
    const desk = makeDesk();
    expect((await desk.visitor().post('/sign-in', { api_key: desk.key, next })).location).toBe(to);
  });

  it('ends the session that the browser had: an id fixed beforehand is worth nothing', async () => {
    const { desk, person } = await signedIn();
    const former = person.cookie;
    await person.post('/sign-in', { api_key: desk.key });
    expect(person.cookie).not.toBe(former);
    const thief = desk.visitor();
    thief.cookie = former;
    expect(await isIn(thief)).toBe(false);
  });

  it('over TLS gives a cookie that only TLS carries', async () => {
    const { sessionCookie } = await import('../../src/control-plane/console/sessions.ts');
    const cookie = sessionCookie('https://db.example/', 'id');
    expect(cookie).toBe('__Host-console-443=id; Path=/; HttpOnly; Secure; SameSite=Strict');
  });
});

describe('a session', () => {
  it('is nothing without its cookie', async () => {
    const desk = makeDesk();
    const visitor = desk.visitor();
    for (const path of PAGES.filter((page) => page.startsWith('/projects/') && !page.includes('%')))
      expect((await visitor.get(path)).location).toBe(`/?next=${encodeURIComponent(path)}`);
    expect((await visitor.look(`/projects/${SHOP}`)).status).toBe(401);
    expect((await visitor.ask('createApiKey', { key_name: 'x' })).location).toBe('/?next=%2Frequests%2FcreateApiKey');
  });

  it('ends with an idle hour, which live updates do not fill', async () => {
    const { desk, person } = await signedIn();
    for (let minute = 0; minute < 59; minute += 1) await desk.pass(MINUTE);
    expect(await isIn(person)).toBe(true);
    for (let minute = 0; minute < 61; minute += 10) {
      await person.look(`/projects/${SHOP}`);
      await desk.pass(10 * MINUTE);
    }
    expect(await isIn(person)).toBe(false);
  });

  it('ends after twelve hours in any case', async () => {
    const { desk, person } = await signedIn();
    for (let half = 0; half < 23; half += 1) {
      await desk.pass(HOUR / 2);
      expect(await isIn(person)).toBe(true);
    }
    await desk.pass(HOUR / 2);
    expect(await isIn(person)).toBe(false);
  });

  it('ends with signing out, for a copy of its cookie too; others go on', async () => {
    const desk = makeDesk();
    const [person, other] = [await desk.person(), await desk.person()];
    const copy = desk.visitor();
    copy.cookie = person.cookie;
    const left = await person.post('/sign-out');
    expect(left.location).toBe('/?ended=out');
    expect(left.headers.get('set-cookie')).toContain('Max-Age=0');
    expect([await isIn(copy), await isIn(other)]).toEqual([false, true]);
  });
});

describe('names that are markup', () => {
  it.each(PAGES)('stay text: %s', async (path) => {
    const { person } = await signedIn();
    await person.ask('createApiKey', { key_name: '<script>alert(1)</script>\u202E' });
    const { html } = await person.get(path);
    expect(html).not.toMatch(/<img|<script>|<b>|\u202E/);
  });

  it('stay text in what is said about a request', async () => {
    const person = await makeDesk().person();
    const { html, status } = await person.get('/projects/%3Cscript%3Ealert(1)%3C%2Fscript%3E');
    expect(status).toBe(404);
    expect(html).not.toContain('<script>alert');
    const fields = { project_id: SHOP, endpoint_id: REPLICA, 'endpoint.autoscaling_limit_min_cu': '"><b>' };
    const form = await person.ask('updateProjectEndpoint', fields);
    expect([form.status, form.html.includes('"><b>')]).toEqual([400, false]);
  });
});
