import { createTestRepository, startGitServer, type TestRepository } from '../../service/test/git-server.ts'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../../service/test/fake-llm.ts'
import { newDataDirectory, startCitewell, type RunningCitewell } from '../run-citewell.ts'
import { startFakeEmbeddings } from './fake-embeddings.ts'
import { startHostileSite, type HostileSite } from './hostile-site.ts'
import { watchService, type ServiceWatch } from './watch-service.ts'

/** A service, the sources that it reads, and a watcher. */
export interface HostileWorld extends AsyncDisposable {
  service: RunningCitewell
  watch: ServiceWatch
  site: HostileSite
  repository: TestRepository
  /** Undefined if the service answers without a model, with quotes. */
  model: FakeLlm | undefined
  base: { id: string; clientKey: string }
  sources: Record<'push' | 'files' | 'website' | 'sitemap' | 'repository' | 'openapi', string>
}

export interface WorldWanted {
  /** `built-in`: the defaults. `remote`: a language model and an embedding service behind URLs. */
  models: 'built-in' | 'remote'
}

interface Made {
  id: string
  client_key: { key: string }
}

export async function createHostileWorld({ models }: WorldWanted): Promise<HostileWorld> {
  await using making = new AsyncDisposableStack()
  const site = making.use(await startHostileSite())
  const repository = making.use(await createTestRepository({ 'index.md': '# Zebrafish\n\nA first page.' }))
  const gitServer = making.use(await startGitServer({ '/docs.git': repository.folder }))
  const model = models === 'remote' ? making.use(await startFakeLlm(fakeLlm.says('Nothing.'))) : undefined
  const embeddings = models === 'remote' ? making.use(await startFakeEmbeddings()) : undefined
  const service = await startCitewell({
    CITEWELL_DATA_DIR: newDataDirectory(),
    CITEWELL_RATE_LIMITS: 'off',
    CITEWELL_ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    ...(model !== undefined && { CITEWELL_LLM_BASE_URL: model.baseUrl, CITEWELL_LLM_MODEL: 'hostile' }),
    ...(embeddings !== undefined && {
      CITEWELL_EMBEDDING_BASE_URL: embeddings.baseUrl,
      CITEWELL_EMBEDDING_MODEL: 'letters',
    }),
  })
  making.defer(async () => await service.kill())
  // On any end of this script, the service must not stay behind.
  process.once('exit', () => service.process.kill('SIGKILL'))
  const base = await service.json<Made>('POST', '/api/v1/knowledge-bases', { name: 'Hostile docs' })
  const makeSource = async (type: string, config: unknown) =>
    (
      await service.json<Made>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
        type,
        name: type,
        config,
      })
    ).id
  const sources = {
    push: await makeSource('push', {}),
    files: await makeSource('files', {}),
    website: await makeSource('website', { start_urls: [`${site.origin}/`], render_js: false }),
    sitemap: await makeSource('sitemap', { sitemap_url: `${site.origin}/map.xml`, render_js: false }),
    repository: await makeSource('repository', { url: `${gitServer.origin}/docs.git` }),
    openapi: await makeSource('openapi', { url: `${site.origin}/openapi` }),
  }
  const watch = await watchService(service.address, service.process.pid ?? 0)
  making.defer(() => watch.stop())
  const kept = making.move()
  return {
    service,
    watch,
    site,
    repository,
    model,
    base: { id: base.id, clientKey: base.client_key.key },
    sources,
    [Symbol.asyncDispose]: async () => await kept.disposeAsync(),
  }
}
