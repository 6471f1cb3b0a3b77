import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@citewell/spec/verifies'
import { html } from 'hono/html'
import { expect, test } from 'vitest'
import { connectedPage, notConnectedPage } from '../channels/connect-sources/connect-source-page.ts'
import { openAxe } from '../../test/open-axe.ts'
import { customAnswerPage } from '../channels/custom-answer-pages/custom-answer-page.ts'
import {
  documentPage,
  externalDocumentPage,
  documentNotFoundPage,
  tooManyPagesPage,
} from '../channels/document-pages/document-page.ts'
import { sectionsOf } from '../channels/document-pages/page-sections.ts'
import { writeSections } from '../channels/document-pages/write-sections.ts'
import { homePage } from '../channels/home/home-page.ts'
import { connectFaultPage, consentPage } from '../channels/oauth/connect-pages.ts'
import type { ConnectedToolRow } from '../channels/oauth/connected-tools.ts'
import {
  chooseBasesPage,
  connectedToolsFaultPage,
  connectedToolsPage,
} from '../channels/oauth/connected-tools-pages.ts'
import { memberConsentPage } from '../channels/oauth/member-consent-page.ts'
import { PORTAL } from '../channels/oauth/protected-resources.ts'
import { joinedPage, knownPersonPage, lapsedPage, newPersonPage } from '../channels/setup/invitation-page.ts'
import { setupPage, tokenPage, usedPage } from '../channels/setup/setup-page.ts'
import { accountPage } from '../channels/sign-in/account-page.ts'
import { TOOLS_STAY_CONNECTED } from '../channels/sign-in/form-parts.ts'
import { passwordLinkPage } from '../channels/sign-in/password-link-page.ts'
import { signInFaultPage, signInPage, signOutPage } from '../channels/sign-in/sign-in-page.ts'
import type { ShownPart } from '../content/documents/documents.ts'
import { notFoundPage } from '../platform/http/not-found-page.ts'
import type { Markup } from '../platform/http/plain-page.ts'

const providers = [
  { id: 'google', name: 'Google' },
  { id: 'oidc', name: 'Example ID' },
]
const bases = [
  { id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10', name: 'Handbook' },
  { id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c11', name: 'Product docs' },
]
const [csrf, code, email, fault] = ['token', 'code', 'grace@example.com', 'That did not work.']
const done = html`It is done. ${TOOLS_STAY_CONNECTED}`

const account = {
  csrf,
  email,
  name: 'Grace',
  hasPassword: true,
  needsEmail: false,
  linked: [],
  offered: [],
  browsers: 1,
  tokens: 0,
  done: undefined,
  fault: undefined,
}
const linked = [
  { issuer: 'https://accounts.google.com', provider: 'Google', email: 'g@example.com' },
  { issuer: 'https://id.example.com', provider: 'Example ID', email: null },
]
const invitation = { csrf, code, email, workspaceName: 'Acme', fault: undefined }
const consent = {
  namedBy: 'claude.ai',
  clientName: 'Claude Code',
  redirectHost: 'localhost:4711',
  isLoopback: true,
  serverName: 'acme-docs',
  knowledgeBaseName: 'Acme docs',
  csrf,
}
const memberConsent = { ...consent, email, fault: undefined }
const toolOf = (id: string, serverId: string): ConnectedToolRow => ({
  id,
  account_id: 'user:grace',
  grant_hash: `grant of ${id}`,
  server_id: serverId,
  client_name: `Tool ${id}`,
  redirect_host: 'localhost:4711',
  resource: 'https://answers.example.com/mcp/acme-docs',
  created_at: new Date('2026-03-09T10:00:00.000Z'),
  updated_at: new Date('2026-03-09T10:00:00.000Z'),
  last_used_at: null,
  reads_all: false,
  knowledge_base_ids: bases.map(({ id: baseId }) => baseId),
})
const tools = [toolOf('one', PORTAL.id), toolOf('two', 'server')]
const person = { csrf, email, bases }

const PASSAGE = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c12'
const MARKDOWN = `Keys **rotate** [daily](https://docs.example.com/keys), see ![a drawing](https://docs.example.com/a.png).

| key | days |
| --- | --- |
| signing | 1<br>or 2 |

|  |  |
| --- | --- |
| no | head |

1. Open \`keys\`
2. Press
   - rotate

\`\`\`sh
rotate --all
\`\`\``
const shown: ShownPart = {
  document: {
    id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c13',
    knowledge_base_id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10',
    source_id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c14',
    external_id: 'guide/keys.md',
    url: 'guide/keys.md',
    title: 'Keys',
    language: 'en',
    live_version: 3,
    indexed_at: new Date('2026-03-09T10:00:00.000Z'),
    source_type: 'files',
    version_label: 'v2',
    base_name: 'Acme docs',
    is_public: true,
  },
  passages: [
    { id: PASSAGE, heading_path: ['Rotation'], anchor: 'rotation', places: [], text: MARKDOWN },
    {
      id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c15',
      heading_path: ['Rotation'],
      anchor: 'rotation',
      places: [
        { at: 0, anchor: 'by-hand', headings: ['By hand'] },
        { at: 40, headings: [] },
      ],
      text: '**By hand**\n\nKeys can be rotated by hand.\n\nAsk first.',
    },
  ],
  part: 1,
  parts: 1,
}
const sectionsShown = (citedId: string | undefined) =>
  writeSections(sectionsOf(shown.passages, citedId), { from: 'Keys rotate daily', to: undefined }, citedId)
const home = {
  sample: { name: 'Citewell', key: 'cw_pk_x', questions: ['How do I stop it?', 'What is a key?'], csrf },
  answered: undefined,
  fault: undefined,
  publicUrl: 'http://127.0.0.1:3000',
  isOnThisMachine: true,
}
const citation = {
  index: 1,
  title: 'Running',
  url: 'https://docs.example.com/running#stopping',
  document_id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10',
  chunk_id: '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c11',
  heading_path: ['Stopping'],
  excerpt: 'Press Ctrl+C.',
}
const answered = {
  question: 'How do I stop it?',
  answer: 'It says:\n\n> Press Ctrl+C. [1]\n\n> ```sh\n> kill 1\n> ```\n\n<script>alert(1)</script>',
  citations: [citation, { ...citation, index: 2, url: 'running.md' }],
}

/** Every page that this service serves to people, in each of its shapes: by the function that makes it, and what is so on it. */
const PAGES: readonly [string, Markup][] = [
  ['signInPage', signInPage({ csrf, to: '/', email: '', fault: undefined, done: undefined, providers: [] })],
  ['signInPage: providers, done', signInPage({ csrf, to: '/', email, fault: undefined, done, providers })],
  ['signInPage: fault', signInPage({ csrf, to: '/', email, fault, done: undefined, providers })],
  ['signInFaultPage', signInFaultPage(fault)],
  ['signOutPage', signOutPage(csrf, email)],
  ['accountPage: password alone', accountPage(account)],
  [
    'accountPage: no password, nothing else',
    accountPage({ ...account, hasPassword: false, needsEmail: true, offered: providers }),
  ],
  [
    'accountPage: no password, one provider',
    accountPage({ ...account, hasPassword: false, linked: linked.slice(1) }),
  ],
  [
    'accountPage: all of it',
    accountPage({ ...account, linked, offered: providers, browsers: 3, tokens: 2, done }),
  ],
  ['accountPage: fault', accountPage({ ...account, linked, browsers: 2, fault })],
  ['passwordLinkPage', passwordLinkPage({ csrf, code, email, fault: undefined })],
  ['passwordLinkPage: fault', passwordLinkPage({ csrf, code, email, fault })],
  ['newPersonPage', newPersonPage(invitation, [])],
  ['newPersonPage: providers, fault', newPersonPage({ ...invitation, fault }, providers)],
  ['knownPersonPage: signed in', knownPersonPage(invitation, true)],
  ['knownPersonPage: not signed in, fault', knownPersonPage({ ...invitation, fault }, false)],
  ['joinedPage', joinedPage()],
  ['lapsedPage', lapsedPage(fault)],
  ['setupPage', setupPage({ csrf, code, email: '', fault: undefined, providers: [] })],
  ['setupPage: providers, fault', setupPage({ csrf, code, email, fault, providers })],
  ['usedPage', usedPage(fault)],
  ['tokenPage', tokenPage('cw_pat_x', 'https://answers.example.com', false)],
  ['tokenPage: signed in', tokenPage('cw_pat_x', 'https://answers.example.com', true)],
  ['consentPage: providers', consentPage({ ...consent, providers })],
  ['consentPage: signed in', consentPage({ ...consent, isLoopback: false, providers: [] })],
  ['connectFaultPage', connectFaultPage('BAD_REQUEST', fault)],
  ['memberConsentPage: internal', memberConsentPage({ ...memberConsent, reads: { base: 'Handbook' } })],
  ['memberConsentPage: portal', memberConsentPage({ ...memberConsent, reads: { choiceOf: bases } })],
  [
    'memberConsentPage: none ticked',
    memberConsentPage({ ...memberConsent, reads: { choiceOf: bases }, fault }),
  ],
  ['connectedToolsPage: none', connectedToolsPage([], person)],
  ['connectedToolsPage: some', connectedToolsPage(tools, person)],
  ['connectedToolsFaultPage', connectedToolsFaultPage(fault)],
  ...tools.slice(0, 1).flatMap((tool): [string, Markup][] => [
    ['chooseBasesPage', chooseBasesPage(tool, { csrf, bases, fault: undefined })],
    ['chooseBasesPage: fault', chooseBasesPage({ ...tool, reads_all: true }, { csrf, bases, fault })],
  ]),
  ['customAnswerPage', customAnswerPage({ question: 'Wann?', answer: '## Immer\n\nJeden Tag.' })],
  ['documentPage', documentPage(shown, await sectionsShown(undefined), { hasOriginal: false })],
  [
    'documentPage: cited, in parts, with its file',
    documentPage({ ...shown, part: 2, parts: 3 }, await sectionsShown(PASSAGE), { hasOriginal: true }),
  ],
  [
    'externalDocumentPage',
    externalDocumentPage({ title: 'Keys', language: 'en', address: 'https://docs.example.com/keys' }),
  ],
  ['documentNotFoundPage', documentNotFoundPage(undefined)],
  ['documentNotFoundPage: not signed in', documentNotFoundPage('/sign-in?to=%2Fdocuments%2Fx')],
  ['tooManyPagesPage', tooManyPagesPage()],
  ['notFoundPage', notFoundPage()],
  ['connectedPage', connectedPage('Google (docs@example.com)')],
  ['notConnectedPage', notConnectedPage('Google did not connect the account (invalid_scope).')],
  ['homePage: to strangers', homePage({ ...home, sample: undefined, isOnThisMachine: false })],
  ['homePage: nothing to ask yet', homePage({ ...home, sample: undefined })],
  ['homePage: fault', homePage({ ...home, fault })],
  ['homePage', homePage(home)],
  ['homePage: answered', homePage({ ...home, answered })],
]

/** What there is to press or to follow, on each page. */
const actionsOf = (page: string) => ({
  forms: page.match(/<form[^>]*>/g) ?? [],
  loose: page.replaceAll(/<form[\s\S]*?<\/form>/g, '').match(/<(button|input|select)\b[^>]*>/g) ?? [],
  unled: (page.match(/<a\b[^>]*>/g) ?? []).filter((link) => !/ href="[/#h]/.test(link)),
  scripted: page.match(/<script|\son\w+\s*=|javascript:|<(object|embed|iframe)\b/gi) ?? [],
})

verifies(
  ['sign-in.accessible', 'sign-in.without-script'],
  'every page in each of its shapes is without fault to axe, and works without script',
  async () => {
    const faults: string[] = []
    using axe = openAxe()
    for (const [name, page] of PAGES) {
      const text = String(await page)
      const { violations, passed } = await axe.violationsOn(text)
      faults.push(...violations.map((line) => `${name}: ${line}`))
      // A page that axe found nothing to look at on would be without fault too.
      const looked = ['document-title', 'html-has-lang', 'region'].filter((rule) => passed.includes(rule))
      if (looked.length < 3) faults.push(`${name}: axe found nothing to look at`)
      const { forms, loose, unled, scripted } = actionsOf(text)
      const unsent = forms.filter((form) => !form.includes('method="post"'))
      faults.push(...[...loose, ...unled, ...scripted, ...unsent].map((line) => `${name}: ${line}`))
    }

    expect(faults).toEqual([])
  },
)

test('no page is left out', () => {
  const channels = join(import.meta.dirname, '../channels')
  const files = readdirSync(channels, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const made = files
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(channels, file), 'utf8'))
    .filter((source) => source.includes('plainPage('))
    .flatMap((source) =>
      [...source.matchAll(/export (?:const|function) (\w+Page)\b/g)].map(([, name]) => name),
    )
  const shown = new Set(PAGES.map(([name]) => name.split(':')[0]))

  expect(made.length).toBeGreaterThan(15)
  expect(made.filter((name) => !shown.has(name))).toEqual([])
})
