import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Parsing, ParseShare } from '../parsing/parsing.ts'
import type { Connector, ConnectorInput } from './connector.ts'
import { createFilesConnector, type FilesConfig, type UploadedFile } from './files/files.ts'
import { createOpenApiConnector, type OpenApiConfig } from './openapi/openapi.ts'
import { previewSource, type SourcePreview } from './preview-source.ts'
import { createRepositoryConnector, type RepositoryConfig } from './repository/repository.ts'
import { createSitemapConnector, type SitemapConfig } from './sitemap/sitemap.ts'
import { createWeb } from './website/web-reader.ts'
import { createWebsiteConnector, type WebsiteConfig } from './website/website.ts'

export { SourceFailure } from './connector.ts'
export type { Connector, ConnectorInput, PageMemory, SourceItem } from './connector.ts'
export { findChromium } from './website/find-chromium.ts'
export type { UploadedFile } from './files/files.ts'
export type { SourcePreview } from './preview-source.ts'

/** The settings of each type of source that is read; `push` is written to, and has no reader. */
export interface ConnectorConfigs {
  website: WebsiteConfig
  sitemap: SitemapConfig
  repository: RepositoryConfig
  files: FilesConfig
  openapi: OpenApiConfig
}

export type ConnectorType = keyof ConnectorConfigs

export interface ConnectorsDeps {
  outbound: Outbound
  parsing: Pick<Parsing, 'parse' | 'parseOpenApi' | 'parseSitemap'>
  /** Files that were uploaded to a source of the type `files`. */
  listFiles(sourceId: string): Promise<readonly UploadedFile[]>
  /** The browser for pages that need their scripts; looked for in the usual places where it is undefined. */
  chromiumPath: string | undefined
  /** Requests at once on one host, while it is quick to answer. */
  parallelPerHost: number
  /** Whether sources may name paths on the disk of this service, and repositories that its ssh keys open. */
  allowLocalPaths: boolean
}

const madeToRead = <Config>(
  type: string,
  make: (share: ParseShare | undefined) => Connector<Config>,
): Connector<Config> => ({ type, read: (input) => make(input.share).read(input) })

/** The readers of all types of sources. */
export function createConnectors(deps: ConnectorsDeps) {
  const { outbound, parsing, allowLocalPaths } = deps
  const parseFor =
    (share: ParseShare | undefined): Parsing['parse'] =>
    (input, signal) =>
      parsing.parse(input, signal, share)
  const web = createWeb({
    outbound,
    parse: (...given) => parsing.parse(...given),
    parseSitemap: (...given) => parsing.parseSitemap(...given),
    chromiumPath: deps.chromiumPath,
    parallelPerHost: deps.parallelPerHost,
  })
  const connectors: { [Type in ConnectorType]: Connector<ConnectorConfigs[Type]> } = {
    website: createWebsiteConnector(web),
    sitemap: createSitemapConnector(web),
    // Made for each reading, so that what they parse waits in the line of whom they read for.
    repository: madeToRead('repository', (share) =>
      createRepositoryConnector({ outbound, parse: parseFor(share), allowLocalPaths }),
    ),
    files: madeToRead('files', (share) =>
      createFilesConnector({ parse: parseFor(share), listFiles: (sourceId) => deps.listFiles(sourceId) }),
    ),
    openapi: madeToRead('openapi', (share) =>
      createOpenApiConnector({
        outbound,
        parseOpenApi: (input, signal) => parsing.parseOpenApi(input, signal, share),
        allowLocalPaths,
      }),
    ),
  }

  return {
    connectorOf: <Type extends ConnectorType>(type: Type): Connector<ConnectorConfigs[Type]> =>
      connectors[type],
    /** A dry run: the first pages found, and why others are left out. */
    preview: async <Type extends ConnectorType>(
      type: Type,
      given: Pick<
        ConnectorInput<ConnectorConfigs[Type]>,
        'config' | 'respectRobotsTxt' | 'signal' | 'share'
      > & {
        maxPages: number
      },
    ): Promise<SourcePreview> => await previewSource<ConnectorConfigs[Type]>(connectors[type], given),
  }
}

export type Connectors = ReturnType<typeof createConnectors>
