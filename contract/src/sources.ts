import { z } from 'zod'
import { SOURCE_TYPES } from './closed-lists.ts'
import { Visibility } from './documents.ts'
import { idOf, lineText, recordFields, text, Timestamp, wholeNumber } from './fields.ts'
import { LIMITS } from './limits.ts'
import { PageQuery } from './paging.ts'
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
import {
  CustomAnswersConfig,
  FilesConfig,
  OpenapiConfig,
  PushConfig,
  RepositoryConfig,
  SitemapConfig,
  WebsiteConfig,
} from './source-configs.ts'
import { SyncSummary } from './syncs.ts'

const Name = lineText(1, LIMITS.name).meta({ examples: ['docs'] })
const VersionLabel = text(1, LIMITS.versionLabel)
  .regex(/^\P{C}*$/u, { error: 'must have printable characters only' })
  .nullable()
  .meta({
    description: 'Version of the product that it documents. Given to the model with every excerpt.',
    examples: ['v2'],
  })
const SourceGroupId = idOf('source group')
  .nullable()
  .meta({ examples: [null] })
const Refresh = z
  .enum(['none', 'hourly', 'daily', 'weekly', 'monthly'])
  .meta({ description: 'How often it is synced automatically.', examples: ['daily'] })

const HoldBackDrop = z
  .number()
  .min(0)
  .lt(1)
  .nullable()
  .meta({
    description:
      'Hold a sync back if its documents would make hit@5 of the evaluation set fall by more than this share: 0.05 is five of a hundred questions, 0 any fall. Its documents stay invisible until they are measured, or somebody accepts them. Null: they are visible as soon as they are read.',
    examples: [0.05],
  })

/** Write-only: no response of the service contains them. */
const Credentials = z
  .strictObject({
    user: text(1, 500),
    password: text(1, 4_000),
    ssh_private_key: text(1, 16_384).regex(
      /^-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----\s[\s\S]+\s-----END [A-Z ]{0,30}PRIVATE KEY-----$/,
      { error: 'must be a private key in the format of ssh-keygen, without a passphrase' },
    ),
    token: text(1, 4_000),
    email: text(3, 320),
    client_id: text(1, 500),
    client_secret: text(1, 4_000),
    refresh_token: text(1, 4_000),
  })
  .partial()
  .nullable()
  .meta({
    id: 'SourceCredentials',
    description:
      'Credentials of the service at the source: a user name and password (or token), a deploy key for ssh, or what the API of the source asks for: the guide of its type says which. Stored encrypted, and never returned. Null: none.',
    examples: [{ user: 'deploy', password: 'token' }],
  })

const ConnectionId = idOf('source connection')
  .nullable()
  .meta({ description: 'The connected account that it is read with. Null: none.', examples: [null] })

export const Source = z
  .object({
    ...recordFields,
    knowledge_base_id: idOf('knowledge base'),
    name: Name,
    type: z.enum(SOURCE_TYPES),
    config: z.record(z.string(), z.unknown()).meta({
      description: 'Depends on `type`.',
      examples: [{ start_urls: ['https://docs.example.com/'] }],
    }),
    has_credentials: z
      .boolean()
      .meta({ description: 'Whether credentials are stored for it.', examples: [false] }),
    connection_id: ConnectionId,
    version_label: VersionLabel,
    source_group_id: SourceGroupId,
    visibility: Visibility,
    refresh: Refresh,
    next_sync_at: Timestamp.nullable().describe(
      'When it is synced next by itself: by its own `refresh`, or by the scheduled crawling of its knowledge base. Null: it is not.',
    ),
    hold_back_drop: HoldBackDrop,
    held_sync_id: idOf('sync')
      .nullable()
      .meta({
        description: 'The sync whose documents wait for you to accept or discard them.',
        examples: [null],
      }),
    status: z
      .enum(['idle', 'queued', 'syncing', 'failed'])
      .meta({ description: '`failed`: its last sync failed.', examples: ['idle'] }),
    document_count: wholeNumber(526),
    last_sync: SyncSummary.nullable(),
  })
  .meta({ id: 'Source', description: 'An origin of content of a knowledge base.' })

export type Source = z.infer<typeof Source>

const sourceOf = <Type extends string, Config extends z.ZodType, Fields extends z.ZodRawShape>(
  type: Type,
  config: Config,
  fields: Fields,
) => z.strictObject({ type: z.literal(type), config, ...fields })

const sourceTypes = <Fields extends z.ZodRawShape>(fields: Fields) =>
  [
    sourceOf('website', WebsiteConfig, fields),
    sourceOf('sitemap', SitemapConfig, fields),
    sourceOf('repository', RepositoryConfig, fields),
    sourceOf('files', FilesConfig.default({}), fields),
    sourceOf('openapi', OpenapiConfig, fields),
    sourceOf('discourse', DiscourseConfig, fields),
    sourceOf('github', GithubConfig, fields),
    sourceOf('notion', NotionConfig.default({ attachments: false, publish_all: false }), fields),
    sourceOf('zendesk_help_center', ZendeskHelpCenterConfig, fields),
    sourceOf('confluence', ConfluenceConfig, fields),
    sourceOf('jira', JiraConfig, fields),
    sourceOf('mail_archive', MailArchiveConfig, fields),
    sourceOf('mailbox', MailboxConfig, fields),
    sourceOf('mediawiki', MediawikiConfig, fields),
    sourceOf('gitlab', GitlabConfig, fields),
    sourceOf('intercom', IntercomConfig, fields),
    sourceOf('freshdesk_solutions', FreshdeskSolutionsConfig, fields),
    sourceOf('help_scout_docs', HelpScoutDocsConfig, fields),
    sourceOf('s3', S3Config, fields),
    sourceOf('google_drive', GoogleDriveConfig, fields),
    sourceOf('sharepoint', SharepointConfig, fields),
    sourceOf('slack_channels', SlackChannelsConfig, fields),
    sourceOf('push', PushConfig.default({}), fields),
    sourceOf('custom_answers', CustomAnswersConfig.default({}), fields),
  ] as const

export const NewSource = z
  .discriminatedUnion(
    'type',
    sourceTypes({
      name: Name,
      credentials: Credentials.optional(),
      connection_id: ConnectionId.optional(),
      version_label: VersionLabel.default(null),
      source_group_id: SourceGroupId.default(null),
      visibility: Visibility.default('public'),
      refresh: Refresh.default('none'),
      hold_back_drop: HoldBackDrop.optional(),
    }),
  )
  .meta({
    id: 'NewSource',
    description: '`config` depends on `type`.',
    examples: [{ type: 'website', name: 'docs', config: { start_urls: ['https://docs.example.com/'] } }],
  })

export type NewSource = z.infer<typeof NewSource>

export const SourceChange = z
  .strictObject({
    name: Name,
    config: z.record(z.string().max(100), z.unknown()).meta({
      description: 'Merged key by key, then validated for its type.',
      examples: [{ max_pages: 500 }],
    }),
    credentials: Credentials,
    connection_id: ConnectionId,
    version_label: VersionLabel,
    source_group_id: SourceGroupId,
    visibility: Visibility,
    refresh: Refresh,
    hold_back_drop: HoldBackDrop,
  })
  .partial()
  .meta({
    id: 'SourceChange',
    description: 'The type of a source cannot be changed.',
    examples: [{ refresh: 'daily', config: { max_pages: 500 } }],
  })

export type SourceChange = z.infer<typeof SourceChange>

export const SourceQuery = PageQuery.extend({ type: z.enum(SOURCE_TYPES).optional() })

/** The body of a preview: a source whose name may be omitted, and the number of pages to read. */
export const SourceToPreview = z
  .discriminatedUnion(
    'type',
    sourceTypes({
      name: Name.optional(),
      credentials: Credentials.optional(),
      connection_id: ConnectionId.optional(),
      version_label: VersionLabel.optional(),
      source_group_id: SourceGroupId.optional(),
      visibility: Visibility.optional(),
      refresh: Refresh.optional(),
      hold_back_drop: HoldBackDrop.optional(),
      limit: z
        .int()
        .min(1)
        .max(LIMITS.previewPages.max)
        .default(LIMITS.previewPages.default)
        .describe('How many pages to read.'),
    }),
  )
  .meta({
    id: 'SourceToPreview',
    description: 'The same body as for a new source; `name` may be omitted.',
    examples: [{ type: 'website', config: { start_urls: ['https://docs.example.com/'] } }],
  })

export type SourceToPreview = z.infer<typeof SourceToPreview>
