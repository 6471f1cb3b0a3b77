import { z } from 'zod'
import type { SOURCE_PLATFORMS, SOURCE_TYPES } from './closed-lists.ts'
import { HttpUrl, text } from './fields.ts'
import { LIMITS } from './limits.ts'
import { patterns } from './path-patterns.ts'
import {
  ConfluenceConfig,
  DiscourseConfig,
  FreshdeskSolutionsConfig,
  GithubConfig,
  GitlabConfig,
  HelpScoutDocsConfig,
  IntercomConfig,
  JiraConfig,
  MailArchiveConfig,
  MailboxConfig,
  MediawikiConfig,
  NotionConfig,
  S3Config,
  ZendeskHelpCenterConfig,
} from './product-configs.ts'
import { GoogleDriveConfig, SharepointConfig, SlackChannelsConfig } from './team-space-configs.ts'

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
  .describe(
    'Render pages in a browser before reading them: always, never, or (`auto`) if the text is empty without it.',
  )

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
      .describe('Links to follow from a start address. Null: 20.'),
    use_sitemap: z.boolean().default(true).describe('Also read the sitemap.'),
  })
  .meta({ id: 'WebsiteConfig', description: 'Crawls links from the start addresses, and reads the sitemap.' })

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
    site_url: HttpUrl.nullable()
      .default(null)
      .describe('Where the pages are published: citations then link there instead of to the file.'),
  })
  .meta({
    id: 'RepositoryConfig',
    description: 'Reads Markdown, MDX, reStructuredText, AsciiDoc, HTML, notebooks and text.',
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
  gitlab: GitlabConfig,
  intercom: IntercomConfig,
  freshdesk_solutions: FreshdeskSolutionsConfig,
  help_scout_docs: HelpScoutDocsConfig,
  s3: S3Config,
  google_drive: GoogleDriveConfig,
  sharepoint: SharepointConfig,
  slack_channels: SlackChannelsConfig,
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
  gitlab: { uses: ['token'], needs: [] },
  intercom: { uses: ['token'], needs: ['token'] },
  freshdesk_solutions: { uses: ['token'], needs: ['token'] },
  help_scout_docs: { uses: ['token'], needs: ['token'] },
  /** `user` is the id of an access key, `password` its secret. */
  s3: { uses: ['user', 'password'], needs: [] },
  /** The JSON key of a service account. */
  google_drive: { uses: ['token'], needs: ['token'] },
  sharepoint: { uses: ['client_id', 'client_secret'], needs: ['client_id', 'client_secret'] },
  slack_channels: { uses: ['token'], needs: ['token'] },
} as const satisfies Partial<
  Record<SourceType, { uses: readonly ApiCredential[]; needs: readonly ApiCredential[] }>
>

/** Types that can be read with a connected account, and where that is. It stands for the credentials that its type needs. */
export const CONNECTED_TYPES: Partial<Record<string, (typeof SOURCE_PLATFORMS)[number]>> = {
  google_drive: 'google',
  sharepoint: 'microsoft',
  slack_channels: 'slack',
  confluence: 'atlassian',
  jira: 'atlassian',
  notion: 'notion',
  github: 'github',
} satisfies Partial<Record<SourceType, (typeof SOURCE_PLATFORMS)[number]>>

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
