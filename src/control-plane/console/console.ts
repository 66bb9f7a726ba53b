// The routes of the web console, each with its page or action.
import { Hono } from '../api/web.ts';
import { handleForm, handlePage, type Bindings, type ConsoleParts, type Page, type Visit } from './visit.ts';
import { assetAt, page, safeHeaders } from './page/respond.ts';
import { errorPage } from './page/layout.ts';
import { branchPage, computePage } from './pages/branch.ts';
import { keysPage } from './pages/keys.ts';
import { logPage } from './pages/log.ts';
import { projectPage } from './pages/project.ts';
import { projectsPage } from './pages/projects.ts';
import { referencePage, formPage, perform } from './request.ts';
import { showSignIn, signIn, signOut } from './pages/sign-in.ts';
import { test, testingPage } from './pages/testing.ts';
import { Sessions } from './sessions.ts';

const PAGES: readonly (readonly [path: string, pageOf: (visit: Visit) => Page])[] = [
  ['/projects/:project', projectPage],
  ['/projects/:project/branches/:branch', branchPage],
  ['/projects/:project/computes/:compute', computePage],
  ['/keys', keysPage],
  ['/log', logPage],
  ['/reference', referencePage],
  ['/requests/:operation', formPage],
  ['/testing', testingPage],
];

export function createConsole(parts: Omit<ConsoleParts, 'sessions'>): Hono<Bindings> {
  const shared = { ...parts, sessions: new Sessions(parts.controlPlane.engine) };
  const app = new Hono<Bindings>();
  app.use(safeHeaders);
  app.get('/console/:file', (context) => assetAt(context.req.path) ?? context.notFound());
  app.get('/', (context) => handlePage(shared, context, projectsPage, showSignIn));
  app.post('/sign-in', (context) => signIn(shared, context));
  app.post('/sign-out', (context) => handleForm(shared, context, signOut));
  app.post('/requests/:operation', (context) => handleForm(shared, context, perform));
  app.post('/testing/:change', (context) => handleForm(shared, context, test));
  for (const [path, pageOf] of PAGES) app.get(path, (context) => handlePage(shared, context, pageOf));
  app.onError(() =>
    page(errorPage({ title: 'Something went wrong' }, 'The control plane could not answer this.'), 500),
  );
  return app;
}

export function missingPage(): Response {
  return page(errorPage({ title: 'Not found' }, 'There is no page at this address.'), 404);
}
