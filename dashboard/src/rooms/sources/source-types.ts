import type { NewSource } from '@citewell/sdk/management'

/** A setting or a credential that a type of source is asked for. */
export interface SourceField {
  /** Its key in `config` or `credentials`. */
  name: string
  label: string
  /** For credentials: the exact place where it is found. */
  hint?: string
  placeholder?: string
  /** `patterns`: lines. Credentials are write-only: stored encrypted, and never shown again. */
  kind: 'url' | 'text' | 'patterns' | 'switch'
  isRequired?: boolean
  credential?: 'secret' | 'name'
}

/** What was typed, by the names of the fields. */
export interface TypedSource {
  text: (name: string) => string
  lines: (name: string) => string[]
  isOn: (name: string) => boolean
}

type TypeAndConfig<Source = NewSource> = Source extends { type: string }
  ? Pick<Source, 'type' | ('config' & keyof Source)>
  : never

interface SourceTypeForm {
  label: string
  fields: readonly SourceField[]
  /** The page of the guide that tells all of it. */
  guide: string
  /** What it is called if nobody names it, and it has no address. */
  name: string
  /** What is sent of the settings. */
  describe: (typed: TypedSource) => TypeAndConfig
}

const address = (name: string, placeholder = 'https://docs.example.com/'): SourceField => ({
  name,
  label: 'Address',
  placeholder,
  kind: 'url',
  isRequired: true,
})

const PATTERNS: readonly SourceField[] = [
  { name: 'include', label: 'Include only', hint: 'One pattern a line, such as /docs/**', kind: 'patterns' },
  { name: 'exclude', label: 'Exclude', hint: 'One pattern a line, such as /blog/**', kind: 'patterns' },
]

const SHOW_NAMES: SourceField = {
  name: 'show_names',
  label: 'Show names',
  hint: 'Otherwise each message has the role of its writer only, such as Maintainer.',
  kind: 'switch',
}

const patternsOf = ({ lines }: TypedSource) => ({ include: lines('include'), exclude: lines('exclude') })

/** Several short names in one field. */
const keysIn = (typed: string): string[] => typed.split(/[\s,;]+/).filter((key) => key !== '')

/** The types that can be added here, and what each is asked for. A new field is one line here. */
export const SOURCE_TYPE_FORMS = {
  website: {
    label: 'A website: follow its links',
    fields: [address('start_urls'), ...PATTERNS],
    guide: 'sources.md',
    name: 'Website',
    describe: (typed) => ({
      type: 'website',
      config: { start_urls: [typed.text('start_urls')], ...patternsOf(typed) },
    }),
  },
  sitemap: {
    label: 'A website: read the pages of its sitemap',
    fields: [address('sitemap_url', 'https://docs.example.com/sitemap.xml'), ...PATTERNS],
    guide: 'sources.md',
    name: 'Sitemap',
    describe: (typed) => ({
      type: 'sitemap',
      config: { sitemap_url: typed.text('sitemap_url'), ...patternsOf(typed) },
    }),
  },
  repository: {
    label: 'A git repository with documentation',
    fields: [address('url', 'https://git.example.com/acme/docs'), ...PATTERNS],
    guide: 'sources.md',
    name: 'Repository',
    describe: (typed) => ({ type: 'repository', config: { url: typed.text('url'), ...patternsOf(typed) } }),
  },
  openapi: {
    label: 'An OpenAPI description',
    fields: [address('url', 'https://api.example.com/openapi.json')],
    guide: 'sources.md',
    name: 'OpenAPI',
    describe: ({ text }) => ({ type: 'openapi', config: { url: text('url') } }),
  },
  discourse: {
    label: 'A Discourse forum',
    fields: [
      address('url', 'https://forum.example.com/'),
      {
        name: 'token',
        label: 'API key',
        hint: 'Admin › Advanced › API keys › New API key: a single user, granular, read topics and lists. Without one, what everyone may read is read.',
        kind: 'text',
        credential: 'secret',
      },
      {
        name: 'username',
        label: 'User name of the key',
        hint: 'If it is empty: system, for a key of all users.',
        kind: 'text',
      },
      SHOW_NAMES,
    ],
    guide: 'sources-discourse.md',
    name: 'Discourse',
    describe: ({ text, isOn }) => ({
      type: 'discourse',
      config: {
        url: text('url'),
        username: text('username') || null,
        show_names: isOn('show_names'),
      },
    }),
  },
  github: {
    label: 'GitHub: issues, discussions, releases',
    fields: [
      address('url', 'https://github.com/acme/product'),
      {
        name: 'token',
        label: 'Token',
        placeholder: 'github_pat_…',
        hint: 'Settings › Developer settings › Personal access tokens › Fine-grained tokens, for this repository, with read access to Contents, Discussions, Issues and Pull requests. Without one, few requests are answered, and discussions are not read.',
        kind: 'text',
        credential: 'secret',
      },
      {
        name: 'pull_requests',
        label: 'Read pull requests too',
        kind: 'switch',
      },
      SHOW_NAMES,
    ],
    guide: 'sources-github.md',
    name: 'GitHub',
    describe: ({ text, isOn }) => ({
      type: 'github',
      config: {
        url: text('url'),
        pull_requests: isOn('pull_requests'),
        show_names: isOn('show_names'),
      },
    }),
  },
  zendesk_help_center: {
    label: 'A Zendesk help center',
    fields: [
      {
        ...address('url', 'https://acme.zendesk.com/'),
        hint: 'Its address at Zendesk, not one of your own domain.',
      },
      {
        name: 'locale',
        label: 'Language',
        placeholder: 'en-us',
        hint: 'If it is empty: the default language of the help center. One source for each language.',
        kind: 'text',
      },
      {
        name: 'email',
        label: 'E-mail address of an agent',
        hint: 'An agent who may see the articles, with few rights otherwise. Without credentials the public articles are read.',
        kind: 'text',
        credential: 'name',
      },
      {
        name: 'token',
        label: 'API token',
        hint: 'Admin Center › Apps and integrations › APIs › API tokens › Add API token. Zendesk shows it once.',
        kind: 'text',
        credential: 'secret',
      },
    ],
    guide: 'sources-zendesk.md',
    name: 'Zendesk help center',
    describe: ({ text }) => ({
      type: 'zendesk_help_center',
      config: { url: text('url'), locale: text('locale') || null },
    }),
  },
  notion: {
    label: 'Notion',
    fields: [
      {
        name: 'token',
        label: 'Internal integration secret',
        placeholder: 'ntn_…',
        hint: 'notion.so/profile/integrations › New integration (internal, Read content). Then open each top page in Notion › ••• › Connections › add the integration.',
        kind: 'text',
        isRequired: true,
        credential: 'secret',
      },
      {
        name: 'publish_all',
        label: 'Treat all pages as published',
        hint: 'Otherwise pages that are not published to the web are for members only.',
        kind: 'switch',
      },
    ],
    guide: 'sources-notion.md',
    name: 'Notion',
    describe: ({ isOn }) => ({ type: 'notion', config: { publish_all: isOn('publish_all') } }),
  },
  confluence: {
    label: 'Confluence, in the cloud or on your own server',
    fields: [
      {
        ...address('url', 'https://acme.atlassian.net/wiki'),
        hint: 'In the cloud: https://….atlassian.net/wiki. On your own server: the address of its start page, with its folder.',
      },
      {
        name: 'spaces',
        label: 'Spaces',
        placeholder: 'DOCS, HELP',
        hint: 'Their keys, as in the address of a space. If it is empty: every space that the account sees.',
        kind: 'text',
      },
      {
        name: 'email',
        label: 'E-mail address',
        hint: 'In the cloud only: of the account that the API token belongs to.',
        kind: 'text',
        credential: 'name',
      },
      {
        name: 'token',
        label: 'API token, or personal access token',
        hint: 'In the cloud: id.atlassian.com › Security › API tokens › Create API token (without scopes). On your own server: your profile › Settings › Personal access tokens. Without it the pages that everyone may read are read.',
        kind: 'text',
        credential: 'secret',
      },
      {
        name: 'publish_all',
        label: 'Treat pages without restrictions as published',
        hint: 'Otherwise pages that nobody can read without signing in are for members only.',
        kind: 'switch',
      },
    ],
    guide: 'sources-confluence.md',
    name: 'Confluence',
    describe: ({ text, isOn }) => ({
      type: 'confluence',
      config: { url: text('url'), spaces: keysIn(text('spaces')), publish_all: isOn('publish_all') },
    }),
  },
  jira: {
    label: 'Jira, in the cloud',
    fields: [
      address('url', 'https://acme.atlassian.net/'),
      {
        name: 'projects',
        label: 'Projects',
        placeholder: 'HELP, OPS',
        hint: 'Their keys: the letters before the number of an issue.',
        kind: 'text',
        isRequired: true,
      },
      {
        name: 'email',
        label: 'E-mail address',
        hint: 'Of the account that the API token belongs to.',
        kind: 'text',
        isRequired: true,
        credential: 'name',
      },
      {
        name: 'token',
        label: 'API token',
        hint: 'id.atlassian.com › Security › API tokens › Create API token (without scopes). Its account needs to browse the projects, and nothing else.',
        kind: 'text',
        isRequired: true,
        credential: 'secret',
      },
      {
        name: 'publish_all',
        label: 'Treat issues without a security level as published',
        hint: 'Issues can contain what customers and colleagues wrote for themselves. Otherwise all of them are for members only.',
        kind: 'switch',
      },
    ],
    guide: 'sources-jira.md',
    name: 'Jira',
    describe: ({ text, isOn }) => ({
      type: 'jira',
      config: { url: text('url'), projects: keysIn(text('projects')), publish_all: isOn('publish_all') },
    }),
  },
  mediawiki: {
    label: 'A MediaWiki',
    fields: [
      {
        ...address('url', 'https://wiki.example.com/w/api.php'),
        label: 'Address of its API',
        hint: 'It ends with api.php. The page Special:Version of the wiki names it under Entry point URLs.',
      },
      {
        name: 'user',
        label: 'Name of a bot password',
        placeholder: 'Reader@citewell',
        hint: 'Only for a wiki that needs a sign-in: Special:BotPasswords › a name › Create, with the basic rights.',
        kind: 'text',
        credential: 'name',
      },
      {
        name: 'password',
        label: 'Bot password',
        hint: 'The wiki shows it once.',
        kind: 'text',
        credential: 'secret',
      },
      {
        name: 'publish_all',
        label: 'Treat a closed wiki as published',
        hint: 'Otherwise the pages of a wiki that nobody can read without signing in are for members only.',
        kind: 'switch',
      },
    ],
    guide: 'sources-mediawiki.md',
    name: 'MediaWiki',
    describe: ({ text, isOn }) => ({
      type: 'mediawiki',
      config: { url: text('url'), publish_all: isOn('publish_all') },
    }),
  },
} as const satisfies Record<string, SourceTypeForm>

export type OfferedType = keyof typeof SOURCE_TYPE_FORMS

export const isOffered = (type: string): type is OfferedType => Object.hasOwn(SOURCE_TYPE_FORMS, type)

export const formOf = (type: OfferedType): SourceTypeForm => SOURCE_TYPE_FORMS[type]

/** Name of a field's control. It is what the service calls the field when it refuses it. */
export const controlOf = ({ credential, name }: SourceField): string =>
  `${credential === undefined ? 'config' : 'credentials'}.${name}`
