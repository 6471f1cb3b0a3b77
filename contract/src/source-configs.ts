import { z } from 'zod'
import type { SOURCE_TYPES } from './closed-lists.ts'
import { HttpUrl, text } from './fields.ts'
import { LIMITS } from './limits.ts'

const patterns = (what: string) =>
  z
    .array(text(1, 500))
    .max(200)
    .default([])
    .meta({ description: `${what} \`*\` matches anything within a path segment, \`**\` across segments.` })

const MaxPages = z
  .int()
  .min(1)
  .max(LIMITS.crawledPages.max)
  .default(LIMITS.crawledPages.default)
  .meta({ description: 'Maximum number of pages.', examples: [500] })

const ContentSelector = text(1, 500)
  .nullable()
  .default(null)
  .meta({
    description: 'CSS selector of the content of a page. Null: detected automatically.',
    examples: ['main'],
  })

const RenderJs = z
  .union([z.literal('auto'), z.boolean()])
  .default('auto')
  .meta({
    description:
      'Render pages in a browser before reading them: always, never, or (`auto`) if the text is empty without it.',
  })

const pageFields = {
  include: patterns('Read only addresses that match one of these. An empty list: everything in scope.'),
  exclude: patterns('Leave out addresses that match one of these.'),
  max_pages: MaxPages,
  content_selector: ContentSelector,
  render_js: RenderJs,
}

export const WebsiteConfig = z
  .strictObject({
    start_urls: z
      .array(HttpUrl)
      .min(1)
      .max(50)
      .meta({
        description:
          'Where the crawl starts. It stays in the folder of each of these addresses, on its host.',
        examples: [['https://docs.example.com/']],
      }),
    ...pageFields,
    max_depth: z
      .int()
      .min(0)
      .max(20)
      .nullable()
      .default(null)
      .meta({ description: 'Links to follow from a start address. Null: 20.' }),
    use_sitemap: z.boolean().default(true).meta({ description: 'Also read the sitemap.' }),
  })
  .meta({
    id: 'WebsiteConfig',
    description: 'Crawls links from the start addresses, and reads the sitemap.',
  })

export const SitemapConfig = z
  .strictObject({
    sitemap_url: HttpUrl.meta({
      description: 'Address of a sitemap, or of an index of sitemaps.',
      examples: ['https://docs.example.com/sitemap.xml'],
    }),
    ...pageFields,
  })
  .meta({ id: 'SitemapConfig', description: 'Reads the pages of a sitemap without following links.' })

export const RepositoryConfig = z
  .strictObject({
    url: text(1, 2_048).meta({
      description:
        'A git address, a bundle, or (if the operator allows it) a folder on the machine of the service.',
      examples: ['https://git.example.com/acme/docs.git'],
    }),
    ref: text(1, 250)
      .nullable()
      .default(null)
      .meta({ description: 'Branch, tag or commit. Null: the default branch.', examples: ['v2'] }),
    include: patterns(
      'Read only files whose path matches one of these. An empty list: every file that can be read.',
    ),
    exclude: patterns('Leave out files whose path matches one of these.'),
    site_url: HttpUrl.nullable().default(null).meta({
      description: 'Where the pages are published: citations then link there instead of to the file.',
    }),
  })
  .meta({
    id: 'RepositoryConfig',
    description: 'Reads Markdown, MDX, reStructuredText, HTML, notebooks and text.',
  })

export const FilesConfig = z
  .strictObject({})
  .meta({ id: 'FilesConfig', description: 'No settings: upload files to it.' })

export const OpenapiConfig = z
  .strictObject({
    url: text(1, 2_048).meta({
      description: 'Address of an OpenAPI or Swagger description, JSON or YAML.',
      examples: ['https://api.example.com/openapi.json'],
    }),
  })
  .meta({ id: 'OpenapiConfig', description: 'Creates a page for each operation of an API.' })

const ShowNames = z.boolean().default(false).meta({
  description:
    'Whether messages have the names of those who wrote them. Otherwise they have what these are in the thread: its author, a maintainer.',
})

/** The path of a repository is its owner and its name, which need no escaping. */
const isRepository = (address: string) => /^https?:\/\/[^/?#]+\/[\w.-]+\/[\w.-]+\/?$/.test(address)

export const GithubConfig = z
  .strictObject({
    url: HttpUrl.refine(isRepository, {
      error: 'must be the address of a repository, such as https://github.com/acme/product',
    }).meta({
      description: 'Address of a repository at github.com or on a GitHub Enterprise Server.',
      examples: ['https://github.com/acme/product'],
    }),
    issues: z.boolean().default(true).meta({ description: 'Read issues, open and closed.' }),
    pull_requests: z.boolean().default(false).meta({ description: 'Read pull requests too.' }),
    discussions: z
      .boolean()
      .default(true)
      .meta({ description: 'Read discussions. GitHub shows them with a token only.' }),
    releases: z.boolean().default(true).meta({ description: 'Read the notes of releases.' }),
    show_names: ShowNames,
  })
  .meta({
    id: 'GithubConfig',
    description: 'Reads the issues, discussions and releases of a GitHub repository.',
  })

export const DiscourseConfig = z
  .strictObject({
    url: HttpUrl.meta({
      description: 'Address of the forum.',
      examples: ['https://forum.example.com/'],
    }),
    username: text(1, 60)
      .nullable()
      .default(null)
      .meta({ description: 'The user that the key was made for. Null: `system`.', examples: ['reader'] }),
    show_names: ShowNames,
  })
  .meta({ id: 'DiscourseConfig', description: 'Reads the topics of a Discourse forum.' })

export const NotionConfig = z
  .strictObject({
    publish_all: z.boolean().default(false).meta({
      description:
        'Whether pages that are not published to the web have the visibility of the source too. Otherwise they are restricted.',
    }),
  })
  .meta({ id: 'NotionConfig', description: 'Reads the pages that a Notion integration was given.' })

export const ZendeskHelpCenterConfig = z
  .strictObject({
    url: HttpUrl.meta({
      description: 'Address of the help center. Its own one (`….zendesk.com`), not one of your domain.',
      examples: ['https://acme.zendesk.com/'],
    }),
    locale: text(2, 20)
      .regex(/^[A-Za-z0-9-]+$/, { error: 'must be a language such as en-us' })
      .nullable()
      .default(null)
      .meta({
        description: 'The language to read. Null: the default language of the help center.',
        examples: ['de'],
      }),
  })
  .meta({ id: 'ZendeskHelpCenterConfig', description: 'Reads the articles of a Zendesk help center.' })

const PublishAll = (what: string) =>
  z
    .boolean()
    .default(false)
    .meta({
      description: `Whether ${what} have the visibility of the source too. Otherwise they are restricted.`,
    })

export const ConfluenceConfig = z
  .strictObject({
    url: HttpUrl.meta({
      description: 'Address of Confluence: `https://….atlassian.net/wiki`, or that of your own server.',
      examples: ['https://acme.atlassian.net/wiki'],
    }),
    spaces: z
      .array(text(1, 255).regex(/^~?[A-Za-z0-9._:-]+$/, { error: 'must be the key of a space' }))
      .max(200)
      .default([])
      .meta({
        description: 'Keys of the spaces to read. An empty list: every space that the account sees.',
        examples: [['DOCS']],
      }),
    publish_all: PublishAll('pages without restrictions that only those who sign in may read'),
  })
  .meta({ id: 'ConfluenceConfig', description: 'Reads the pages and blog posts of a Confluence.' })

export const JiraConfig = z
  .strictObject({
    url: HttpUrl.meta({
      description: 'Address of a Jira in the cloud.',
      examples: ['https://acme.atlassian.net/'],
    }),
    projects: z
      .array(text(1, 50).regex(/^[A-Za-z][A-Za-z0-9_]*$/, { error: 'must be the key of a project' }))
      .min(1)
      .max(200)
      .meta({ description: 'Keys of the projects to read.', examples: [['HELP']] }),
    publish_all: PublishAll('issues without a security level'),
  })
  .meta({ id: 'JiraConfig', description: 'Reads the issues of a Jira, with their comments.' })

export const MediawikiConfig = z
  .strictObject({
    url: HttpUrl.meta({
      description: 'Address of the API of a MediaWiki: it ends with `api.php`, and Special:Version names it.',
      examples: ['https://wiki.example.com/w/api.php'],
    }),
    namespaces: z
      .array(z.int().min(0).max(10_000))
      .min(1)
      .max(50)
      .default([0])
      .meta({
        description: 'Numbers of the namespaces to read. 0 is that of the articles.',
        examples: [[0, 12]],
      }),
    publish_all: PublishAll('pages that only those who sign in may read'),
  })
  .meta({ id: 'MediawikiConfig', description: 'Reads the pages of a MediaWiki.' })

export const MailArchiveConfig = z
  .strictObject({
    urls: z
      .array(HttpUrl)
      .min(1)
      .max(100)
      .meta({
        description:
          'Addresses of mbox files that everyone may read, packed with gzip or not: the archives of a mailing list.',
        examples: [['https://lists.example.com/archives/users/2026-November.txt.gz']],
      }),
    show_names: ShowNames,
  })
  .meta({ id: 'MailArchiveConfig', description: 'Reads the conversations of a public mailing list.' })

export const MailboxConfig = z
  .strictObject({
    url: text(1, 300)
      .regex(/^imaps?:\/\/(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?\/?$/, {
        error: 'must be the address of a mail server, such as imaps://imap.example.com',
      })
      .meta({
        description:
          'The mail server: `imaps://` with TLS at port 993, or `imap://` with STARTTLS at port 143, unless it has another port.',
        examples: ['imaps://imap.example.com'],
      }),
    folders: z
      .array(text(1, 200))
      .min(1)
      .max(50)
      .default(['INBOX'])
      .meta({ description: 'Folders to read.', examples: [['Archive/Support']] }),
    show_names: ShowNames,
    publish_all: PublishAll('mails'),
  })
  .meta({ id: 'MailboxConfig', description: 'Reads the conversations in folders of a mailbox.' })

export const PushConfig = z
  .strictObject({})
  .meta({ id: 'PushConfig', description: 'No settings: send documents to it.' })

export const CustomAnswersConfig = z
  .strictObject({})
  .meta({ id: 'CustomAnswersConfig', description: 'No settings: it contains the custom answers of a group.' })

/** The schema of `config` for each type of source. */
export const SOURCE_CONFIGS = {
  website: WebsiteConfig,
  sitemap: SitemapConfig,
  repository: RepositoryConfig,
  files: FilesConfig,
  openapi: OpenapiConfig,
  discourse: DiscourseConfig,
  github: GithubConfig,
  notion: NotionConfig,
  zendesk_help_center: ZendeskHelpCenterConfig,
  confluence: ConfluenceConfig,
  jira: JiraConfig,
  mail_archive: MailArchiveConfig,
  mailbox: MailboxConfig,
  mediawiki: MediawikiConfig,
  push: PushConfig,
  custom_answers: CustomAnswersConfig,
} as const satisfies Record<(typeof SOURCE_TYPES)[number], z.ZodType>

/** Credentials of API sources, by type, and which of them are needed to read anything. A type that is not listed reads no API. */
export const API_CREDENTIALS = {
  discourse: { uses: ['token'], needs: [] },
  github: { uses: ['token'], needs: [] },
  notion: { uses: ['token'], needs: ['token'] },
  zendesk_help_center: { uses: ['email', 'token'], needs: [] },
  confluence: { uses: ['email', 'token'], needs: [] },
  jira: { uses: ['email', 'token'], needs: ['email', 'token'] },
  mailbox: { uses: ['user', 'password'], needs: ['user', 'password'] },
  mediawiki: { uses: ['user', 'password'], needs: [] },
} as const satisfies Partial<
  Record<SourceType, { uses: readonly ApiCredential[]; needs: readonly ApiCredential[] }>
>

/** Fields of the credentials of API sources. */
export type ApiCredential =
  | 'user'
  | 'password'
  | 'email'
  | 'token'
  | 'client_id'
  | 'client_secret'
  | 'refresh_token'

export type SourceType = keyof typeof SOURCE_CONFIGS

/** The config of a type, with its defaults filled in. */
export type SourceConfig<Type extends SourceType> = z.output<(typeof SOURCE_CONFIGS)[Type]>

/** Types whose documents are pushed: there is nothing to read, and so no sync. */
export const WRITTEN_SOURCE_TYPES: ReadonlySet<string> = new Set<SourceType>(['push', 'custom_answers'])
