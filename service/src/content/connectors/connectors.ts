import type { LocalPaths } from '../../platform/files/local-paths.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Parsing } from '../parsing/parsing.ts'
import type { Connector, ConnectorInput } from './connector.ts'
import { createFilesConnector, type FilesConfig, type UploadedFile } from './files/files.ts'
import { createOpenApiConnector, type OpenApiConfig } from './openapi/openapi.ts'
import { previewSource, type SourcePreview } from './preview-source.ts'
import { createSourceCheck } from './check-source.ts'
import { createRepositoryConnector, type RepositoryConfig } from './repository/repository.ts'
import { createSitemapConnector, type SitemapConfig } from './sitemap/sitemap.ts'
import { createWeb } from './website/web-reader.ts'
import { createWebsiteConnector, type WebsiteConfig } from './website/website.ts'

export { SourceFailure } from './connector.ts'
export type { Connector, ConnectorInput, PageMemory, SourceCredentials, SourceItem } from './connector.ts'
export type { SourceFault } from './check-source.ts'
export { originOfSource, takeCredentials } from './take-credentials.ts'
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
  parsing: Pick<Parsing, 'parse' | 'parseOpenApi'>
  /** Files that were uploaded to a source of the type `files`. */
  listFiles(sourceId: string): Promise<readonly UploadedFile[]>
  /** The browser for pages that need their scripts; looked for in the usual places where it is undefined. */
  chromiumPath: string | undefined
  /** Requests at once on one host, while it is quick to answer. */
  parallelPerHost: number
  /** What sources may read of the disk of this service. */
  localPaths: LocalPaths
  /** File in which ssh notes the keys that hosts have shown. */
  knownHosts: string
}

/** The readers of all types of sources. */
export function createConnectors(deps: ConnectorsDeps) {
  const { outbound, parsing, localPaths, knownHosts } = deps
  const parse: Parsing['parse'] = (input, signal) => parsing.parse(input, signal)
  const web = createWeb({
    outbound,
    parse,
    chromiumPath: deps.chromiumPath,
    parallelPerHost: deps.parallelPerHost,
  })
  const connectors: { [Type in ConnectorType]: Connector<ConnectorConfigs[Type]> } = {
    website: createWebsiteConnector(web),
    sitemap: createSitemapConnector(web),
    repository: createRepositoryConnector({ outbound, parse, localPaths, knownHosts }),
    files: createFilesConnector({ parse, listFiles: (sourceId) => deps.listFiles(sourceId) }),
    openapi: createOpenApiConnector({
      outbound,
      parseOpenApi: (input, signal) => parsing.parseOpenApi(input, signal),
      localPaths,
    }),
  }

  return {
    connectorOf: <Type extends ConnectorType>(type: Type): Connector<ConnectorConfigs[Type]> =>
      connectors[type],
    /** What is wrong with where a source is, before it is saved. */
    checkSource: createSourceCheck({ outbound, localPaths }),
    /** A dry run: the first pages found, and why others are left out. */
    preview: async <Type extends ConnectorType>(
      type: Type,
      given: Pick<
        ConnectorInput<ConnectorConfigs[Type]>,
        'config' | 'credentials' | 'respectRobotsTxt' | 'signal'
      > & {
        maxPages: number
      },
    ): Promise<SourcePreview> => await previewSource<ConnectorConfigs[Type]>(connectors[type], given),
  }
}

export type Connectors = ReturnType<typeof createConnectors>
