import { ENDPOINTS } from '@citewell/contract/endpoints'
import type { SourceToPreview } from '@citewell/contract/sources'
import { recordRoutes } from '../../accounts/base-records/base-records.ts'
import type { KnowledgeBaseRow, KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { Refusal, wrongField } from '../../kernel/refusal.ts'
import { endpointsFor } from '../../platform/http/endpoint.ts'
import {
  SourceFailure,
  type Connectors,
  type PreviewSlots,
  type PreviewStep,
  type SourcePreview,
} from '../connectors/connectors.ts'
import type { SourceConnections } from '../source-connections/source-connections.ts'
import { presentSync } from '../syncs/syncs.ts'
import { presentSource } from './present-source.ts'
import { presentPreview, watchPreview } from './present-preview.ts'
import { addressOf, refuseUnreadable } from './source-config.ts'
import { presentUploadedFile } from './present-uploaded-file.ts'
import type { Sources, Uploads } from './sources.ts'

const endpoint = endpointsFor<'access-token', Caller>()

export interface SourceRoutesDeps {
  sources: Sources
  uploads: Uploads
  knowledgeBases: Pick<KnowledgeBases, 'openActive'>
  preview: Connectors['preview']
  previewSlots: PreviewSlots
  checkSource: Connectors['checkSource']
  connections: Pick<SourceConnections, 'require' | 'accessOf'>
}

export const sourceRoutes = ({
  sources,
  uploads,
  knowledgeBases,
  preview,
  previewSlots,
  checkSource,
  connections,
}: SourceRoutesDeps) => {
  async function previewOf(
    asked: SourceToPreview,
    base: KnowledgeBaseRow,
    signal: AbortSignal,
    onStep?: (step: PreviewStep) => void,
  ): Promise<SourcePreview> {
    if (asked.type === 'files' || asked.type === 'push' || asked.type === 'custom_answers') {
      const message = 'cannot be previewed: documents are pushed to this type of source'
      throw wrongField('type', message)
    }
    const connectionId = asked.connection_id ?? null
    const { config, credentials } = addressOf(asked.type, asked.config, asked.credentials, {
      isWhole: true,
      isConnected: connectionId !== null,
    })
    await refuseUnreadable(checkSource, asked.type, config)
    if (connectionId !== null) await connections.require(base.id, connectionId, asked.type)
    try {
      return await preview(asked.type, {
        config: config as typeof asked.config,
        credentials,
        access: connectionId === null ? undefined : connections.accessOf(base.id, connectionId, asked.type),
        owner: { workspaceId: base.workspace_id, knowledgeBaseId: base.id },
        respectRobotsTxt: base.respect_robots_txt,
        maxPages: asked.limit,
        signal,
        onStep,
      })
    } catch (error) {
      if (error instanceof SourceFailure) throw new Refusal('BAD_REQUEST', { because: error.message })
      throw error
    }
  }

  return [
    ...recordRoutes(
      {
        list: ENDPOINTS.listSources,
        create: ENDPOINTS.createSource,
        get: ENDPOINTS.getSource,
        change: ENDPOINTS.updateSource,
        remove: ENDPOINTS.deleteSource,
      },
      sources,
      presentSource,
    ),
    endpoint(ENDPOINTS.previewSource, async ({ caller, params, body, signal }) => {
      const base = await knowledgeBases.openActive(caller, params.id, 'config')
      const person = { userId: caller.userId, knowledgeBaseId: base.id }
      return presentPreview(
        await previewSlots.run(person, signal, async () => await previewOf(body, base, signal)),
      )
    }),
    endpoint(ENDPOINTS.watchPreview, async ({ caller, params, body, signal, requestId }) => {
      const base = await knowledgeBases.openActive(caller, params.id, 'config')
      const person = { userId: caller.userId, knowledgeBaseId: base.id }
      return await watchPreview(
        async (onStep) =>
          await previewSlots.run(person, signal, async () => await previewOf(body, base, signal, onStep)),
        requestId,
      )
    }),
    endpoint(ENDPOINTS.uploadFiles, async ({ caller, params, request }) => {
      const { files, sync } = await uploads.upload(caller, params.id, request)
      return { files: files.map(presentUploadedFile), sync: presentSync(sync) }
    }),
  ]
}
