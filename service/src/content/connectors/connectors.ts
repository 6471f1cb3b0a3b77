import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalPaths } from '../../platform/files/local-paths.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Parsing, ParseShare } from '../parsing/parsing.ts'
import { parseShareOf, type Connector, type ConnectorInput } from './connector.ts'
import { createConfluenceConnector, type ConfluenceConfig } from './confluence/confluence.ts'
import { createDiscourseConnector, type DiscourseConfig } from './discourse/discourse.ts'
import { createGoogleDriveConnector, type GoogleDriveConfig } from './google-drive/google-drive.ts'
import { createFilesConnector, type FilesConfig, type UploadedFile } from './files/files.ts'
import {
  createFreshdeskSolutionsConnector,
  type FreshdeskSolutionsConfig,
} from './freshdesk-solutions/freshdesk-solutions.ts'
import { createGithubConnector, type GithubConfig } from './github/github.ts'
import { createGitlabConnector, type GitlabConfig } from './gitlab/gitlab.ts'
import { createHelpScoutDocsConnector, type HelpScoutDocsConfig } from './help-scout-docs/help-scout-docs.ts'
import { createIntercomConnector, type IntercomConfig } from './intercom/intercom.ts'
import { createJiraConnector, type JiraConfig } from './jira/jira.ts'
import { createMailArchiveConnector, type MailArchiveConfig } from './mail/mail-archive.ts'
import { createMailboxConnector, type MailboxConfig } from './mail/mailbox.ts'
import { createMediawikiConnector, type MediawikiConfig } from './mediawiki/mediawiki.ts'
import { createNotionConnector, type NotionConfig } from './notion/notion.ts'
import { createOpenApiConnector, type OpenApiConfig } from './openapi/openapi.ts'
import { previewSource, type PreviewStep, type SourcePreview } from './preview-source.ts'
import { createSourceCheck } from './check-source.ts'
import type { ApiDeps } from './rest/api-connector.ts'
import { createPaces } from './rest/pace.ts'
import { createRepositoryConnector, type RepositoryConfig } from './repository/repository.ts'
import { createS3Connector, type S3Config } from './s3/s3.ts'
import { createSharepointConnector, type SharepointConfig } from './sharepoint/sharepoint.ts'
import { createSlackChannelsConnector, type SlackChannelsConfig } from './slack-channels/slack-channels.ts'
import { createSitemapConnector, type SitemapConfig } from './sitemap/sitemap.ts'
import type { PageRenderer } from './website/render-page.ts'
import { createWeb } from './website/web-reader.ts'
import { createWebsiteConnector, type WebsiteConfig } from './website/website.ts'
import {
  createZendeskHelpCenterConnector,
  type ZendeskHelpCenterConfig,
} from './zendesk-help-center/zendesk-help-center.ts'

export { MAX_CURSOR_CHARACTERS, SourceFailure, SourcePaused } from './connector.ts'
export type {
  AccountAccess,
  Connector,
  ConnectorInput,
  PageMemory,
  SourceCredentials,
  SourceItem,
} from './connector.ts'
export type { SourceFault } from './check-source.ts'
export { untilAborted } from './until-aborted.ts'
export { originOfSource, extractCredentials } from './extract-credentials.ts'
export { findChromium } from './website/find-chromium.ts'
export { createPageRenderer } from './website/render-page.ts'
export type { UploadedFile } from './files/files.ts'
export type { Detected, PreviewStep, SourcePreview } from './preview-source.ts'
export { createPreviewSlots, type PreviewSlots } from './preview-slots.ts'

/** The config of each type of source that is read; `push` sources are written to and have no connector. */
export interface ConnectorConfigs {
  website: WebsiteConfig
  sitemap: SitemapConfig
  repository: RepositoryConfig
  files: FilesConfig
  openapi: OpenApiConfig
  discourse: DiscourseConfig
  github: GithubConfig
  notion: NotionConfig
  zendesk_help_center: ZendeskHelpCenterConfig
  confluence: ConfluenceConfig
  jira: JiraConfig
  mail_archive: MailArchiveConfig
  mailbox: MailboxConfig
  mediawiki: MediawikiConfig
  gitlab: GitlabConfig
  intercom: IntercomConfig
  freshdesk_solutions: FreshdeskSolutionsConfig
  help_scout_docs: HelpScoutDocsConfig
  s3: S3Config
  google_drive: GoogleDriveConfig
  sharepoint: SharepointConfig
  slack_channels: SlackChannelsConfig
}

export type ConnectorType = keyof ConnectorConfigs

export interface ConnectorsDeps {
  outbound: Outbound
  parsing: Pick<Parsing, 'parse' | 'parseMail' | 'readMailFile' | 'parseOpenApi' | 'parseSitemap'>
  /** Files uploaded to a source of type `files`. */
  listFiles(sourceId: string): Promise<readonly UploadedFile[]>
  /** For pages that need their scripts. */
  renderer: PageRenderer
  /** Maximum concurrent requests to one host, while it answers quickly. */
  parallelPerHost: number
  /** Paths on this machine's disk that sources may read. */
  localPaths: LocalPaths
  /** The known_hosts file of ssh. */
  knownHosts: string
  /** See `ApiDeps`. */
  apiOrigins?: ApiDeps['apiOrigins'] | undefined
  /** Instead of the real time, in what reads APIs. */
  timer?: SourceTimer | undefined
}

/** The time of the connectors of products: see `ApiDeps`. */
export type SourceTimer = Pick<ApiDeps, 'now' | 'wait'>

const REAL_TIMER: SourceTimer = {
  now: Date.now,
  wait: async (milliseconds, signal) => {
    await sleep(milliseconds, undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw error
    })
  },
}

const createPerRead = <Config>(
  type: string,
  make: (share: ParseShare) => Connector<Config>,
): Connector<Config> => ({ type, read: (input) => make(parseShareOf(input)).read(input) })

/** The connectors of all types of sources. */
export function createConnectors(deps: ConnectorsDeps) {
  const { outbound, parsing, localPaths, knownHosts } = deps
  const parseFor =
    (share: ParseShare): Parsing['parse'] =>
    (input, signal) =>
      parsing.parse(input, signal, share)
  const web = createWeb({
    outbound,
    parse: (...given) => parsing.parse(...given),
    parseSitemap: (...given) => parsing.parseSitemap(...given),
    renderer: deps.renderer,
    parallelPerHost: deps.parallelPerHost,
  })
  const timer = deps.timer ?? REAL_TIMER
  const api: ApiDeps = {
    outbound,
    parse: (...given) => parsing.parse(...given),
    paces: createPaces({ ...timer, random: Math.random }),
    ...timer,
    apiOrigins: deps.apiOrigins ?? {},
  }
  const mail = {
    outbound,
    parse: api.parse,
    parseMail: ((...given) => parsing.parseMail(...given)) satisfies Parsing['parseMail'],
    readMailFile: ((...given) => parsing.readMailFile(...given)) satisfies Parsing['readMailFile'],
    now: Date.now,
  }
  const connectors: { [Type in ConnectorType]: Connector<ConnectorConfigs[Type]> } = {
    website: createWebsiteConnector(web),
    sitemap: createSitemapConnector(web),
    // Created for each sync, so that parsing is queued under the share of its workspace and base.
    repository: createPerRead('repository', (share) =>
      createRepositoryConnector({ outbound, parse: parseFor(share), localPaths, knownHosts }),
    ),
    files: createPerRead('files', (share) =>
      createFilesConnector({ parse: parseFor(share), listFiles: (sourceId) => deps.listFiles(sourceId) }),
    ),
    openapi: createPerRead('openapi', (share) =>
      createOpenApiConnector({
        outbound,
        parseOpenApi: (input, signal) => parsing.parseOpenApi(input, signal, share),
        localPaths,
      }),
    ),
    discourse: createDiscourseConnector(api),
    github: createGithubConnector(api),
    notion: createNotionConnector(api),
    zendesk_help_center: createZendeskHelpCenterConnector(api),
    confluence: createConfluenceConnector(api),
    jira: createJiraConnector(api),
    mail_archive: createMailArchiveConnector(mail),
    mailbox: createMailboxConnector(mail),
    mediawiki: createMediawikiConnector(api),
    gitlab: createGitlabConnector(api),
    intercom: createIntercomConnector(api),
    freshdesk_solutions: createFreshdeskSolutionsConnector(api),
    help_scout_docs: createHelpScoutDocsConnector(api),
    s3: createS3Connector(api),
    google_drive: createGoogleDriveConnector(api),
    sharepoint: createSharepointConnector(api),
    slack_channels: createSlackChannelsConnector(api),
  }

  return {
    connectorOf: <Type extends ConnectorType>(type: Type): Connector<ConnectorConfigs[Type]> =>
      connectors[type],
    /** Checks the address of a source before it is saved. */
    checkSource: createSourceCheck({ outbound, localPaths }),
    /** A dry run: the first pages found, and why others are left out. */
    preview: async <Type extends ConnectorType>(
      type: Type,
      given: Pick<
        ConnectorInput<ConnectorConfigs[Type]>,
        'config' | 'credentials' | 'access' | 'respectRobotsTxt' | 'signal' | 'owner'
      > & {
        maxPages: number
        onStep?: ((step: PreviewStep) => void) | undefined
      },
    ): Promise<SourcePreview> => await previewSource<ConnectorConfigs[Type]>(connectors[type], given),
  }
}

export type Connectors = ReturnType<typeof createConnectors>
