import { z } from 'zod'
import { HttpUrl, text } from './fields.ts'
import { patterns } from './path-patterns.ts'

export const ShowNames = z
  .boolean()
  .default(false)
  .describe(
    'Whether messages have the names of those who wrote them. Otherwise they have what these are in the thread: its author, a maintainer.',
  )

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
    issues: z.boolean().default(true).describe('Read issues, open and closed.'),
    pull_requests: z.boolean().default(false).describe('Read pull requests too.'),
    discussions: z.boolean().default(true).describe('Read discussions. GitHub shows them with a token only.'),
    releases: z.boolean().default(true).describe('Read the notes of releases.'),
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

const Attachments = (of: string) =>
  z
    .boolean()
    .default(false)
    .describe(
      `Whether files that are attached to ${of} are read too: PDF, Word, slides (PPTX), tables (XLSX, CSV, TSV), Markdown, HTML and text, each as a document of its own.`,
    )

export const NotionConfig = z
  .strictObject({
    attachments: Attachments('pages'),
    publish_all: z
      .boolean()
      .default(false)
      .describe(
        'Whether pages that are not published to the web have the visibility of the source too. Otherwise they are restricted.',
      ),
  })
  .meta({ id: 'NotionConfig', description: 'Reads the pages that a Notion integration was given.' })

const locale = (description: string) =>
  text(2, 20)
    .regex(/^[A-Za-z0-9-]+$/, { error: 'must be a language such as de or pt-BR' })
    .nullable()
    .default(null)
    .meta({ description, examples: ['de'] })

export const ZendeskHelpCenterConfig = z
  .strictObject({
    url: HttpUrl.meta({
      description: 'Address of the help center. Its own one (`….zendesk.com`), not one of your domain.',
      examples: ['https://acme.zendesk.com/'],
    }),
    attachments: Attachments('articles'),
    locale: locale('The language to read. Null: the default language of the help center.'),
  })
  .meta({ id: 'ZendeskHelpCenterConfig', description: 'Reads the articles of a Zendesk help center.' })

export const PublishAll = (what: string) =>
  z
    .boolean()
    .default(false)
    .describe(`Whether ${what} have the visibility of the source too. Otherwise they are restricted.`)

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
    attachments: Attachments('pages'),
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
    attachments: Attachments('issues'),
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

/** The path of a project: its groups and its name, which need no escaping. */
function isProject(address: string): boolean {
  const names = address.replace(/\/$/, '').split('/').slice(3)
  return names.length >= 2 && names.length <= 21 && names.every((name) => /^[\w.-]+$/.test(name))
}

export const GitlabConfig = z
  .strictObject({
    url: HttpUrl.refine(isProject, {
      error: 'must be the address of a project, such as https://gitlab.com/acme/product',
    }).meta({
      description: 'Address of a project at gitlab.com or on a GitLab of your own.',
      examples: ['https://gitlab.com/acme/product'],
    }),
    issues: z.boolean().default(true).describe('Read issues, open and closed.'),
    wiki: z.boolean().default(true).describe('Read the pages of the wiki.'),
    show_names: ShowNames,
  })
  .meta({ id: 'GitlabConfig', description: 'Reads the issues and the wiki of a GitLab project.' })

export const IntercomConfig = z
  .strictObject({
    region: z
      .enum(['us', 'eu', 'au'])
      .default('us')
      .meta({ description: 'Where Intercom keeps the data of the workspace.', examples: ['eu'] }),
    locale: locale('The language to read. Null: the default language of each article.'),
    publish_all: PublishAll('published articles of a collection, whose audience Intercom does not tell,'),
  })
  .meta({ id: 'IntercomConfig', description: 'Reads the public articles of an Intercom workspace.' })

export const FreshdeskSolutionsConfig = z
  .strictObject({
    url: HttpUrl.meta({
      description: 'Address of the help desk. Its own one (`….freshdesk.com`), not one of your domain.',
      examples: ['https://acme.freshdesk.com/'],
    }),
  })
  .meta({ id: 'FreshdeskSolutionsConfig', description: 'Reads the solution articles of a Freshdesk.' })

export const HelpScoutDocsConfig = z
  .strictObject({
    site: text(1, 100)
      .regex(/^[\w-]+$/, { error: 'must be the name of a site, or its id' })
      .nullable()
      .default(null)
      .meta({
        description: 'The site to read: its name before `.helpscoutdocs.com`. Null: all sites.',
        examples: ['acme'],
      }),
    publish_all: PublishAll(
      'public collections of sites of which Help Scout does not say whether they need a sign-in',
    ),
  })
  .meta({ id: 'HelpScoutDocsConfig', description: 'Reads the articles of Help Scout Docs.' })

/** What cannot be decoded is no folder; an address ends before its query. */
const isBucket = (address: string) => {
  const path = /^https?:\/\/[^/?#]+((?:\/[^/?#]+)+\/?)$/.exec(address)?.[1]
  try {
    return path !== undefined && /^\/[\w.-]{3,63}(?:\/|$)/.test(decodeURIComponent(path))
  } catch {
    return false
  }
}

export const S3Config = z
  .strictObject({
    url: HttpUrl.refine(isBucket, {
      error:
        'must be the address of the storage with the name of the bucket behind it, such as https://s3.eu-central-1.amazonaws.com/acme-docs',
    }).meta({
      description:
        'Address of the storage, then the bucket, then the beginning of the names to read, if not all are.',
      examples: ['https://s3.eu-central-1.amazonaws.com/acme-docs/guide/'],
    }),
    region: text(1, 50)
      .regex(/^[a-z0-9-]+$/, { error: 'must be a region such as eu-central-1' })
      .nullable()
      .default(null)
      .meta({
        description: 'Null: the one in the address of Amazon, else `us-east-1`.',
        examples: ['eu-central-1'],
      }),
    include: patterns(
      'Read only objects whose name, without its given beginning, matches one of these. An empty list: every object that can be read.',
    ),
    exclude: patterns('Leave out objects whose name matches one of these.'),
    site_url: HttpUrl.nullable()
      .default(null)
      .describe('Where the objects are published: citations then link there. Null: to the object itself.'),
    publish_all: PublishAll('the objects of a bucket that is read with an access key'),
  })
  .meta({
    id: 'S3Config',
    description: 'Reads the documents in a bucket of Amazon S3, or of a storage that speaks the same.',
  })

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
    attachments: Attachments('mails'),
    show_names: ShowNames,
  })
  .meta({ id: 'MailArchiveConfig', description: 'Reads the conversations of a public mailing list.' })

export const MailboxConfig = z
  .strictObject({
    url: text(1, 300)
      .regex(/^imaps?:\/\/(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?\/?$/, {
        error: 'must be the address of a mail server, such as imaps://imap.example.com',
      })
      .refine((url) => URL.canParse(url), 'must be the address of a mail server, with a port up to 65535')
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
    attachments: Attachments('mails'),
    show_names: ShowNames,
    publish_all: PublishAll('mails'),
  })
  .meta({ id: 'MailboxConfig', description: 'Reads the conversations in folders of a mailbox.' })
