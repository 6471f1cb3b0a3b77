import { chooseBase, listBases, type KnowledgeBaseSummary } from './choose-base.ts'
import { CommandFailure, type CommandInput } from './command.ts'
import { listSources, type SourceSummary } from './list-all.ts'
import type { ServiceClient } from './service-client.ts'
import type { NewSource } from './source-of-argument.ts'
import { shellWord } from './typed-command.ts'

/** Where a source is, and what was made for it. */
export interface PlacedSource {
  base: KnowledgeBaseSummary
  sourceId: string
  isNewBase: boolean
  isNewSource: boolean
}

/** The address that a source reads, as `up` writes it. */
function addressOf({ config }: Pick<SourceSummary, 'config'>): string {
  const { url, start_urls: starts } = config
  const address: unknown = Array.isArray(starts) && starts.length === 1 ? starts[0] : url
  return typeof address === 'string' ? (URL.parse(address)?.href ?? address) : ''
}

/** Names to try for a knowledge base: the site's, the site's with the path that was asked for, and then numbers. */
function* namesFor(source: NewSource): Generator<string> {
  yield source.name
  const url = URL.parse(addressOf(source))
  const path = url === null ? '' : url.pathname.replaceAll(/^\/+|(?<!\/)\/+$/g, '')
  const longer =
    path === '' || source.type !== 'website' ? source.name : `${source.name}/${path}`.slice(0, 100)
  if (longer !== source.name) yield longer
  for (let number = 2; ; number += 1) yield `${longer} ${number}`
}

/**
 * Finds the source that reads this address already, or makes one: in the knowledge base that `--kb` names, else in one of its own,
 * named after the site.
 */
export async function placeSource(
  input: CommandInput,
  client: ServiceClient,
  source: NewSource,
): Promise<PlacedSource> {
  const named = input.options['kb']
  const bases = named === undefined ? await listBases(client) : [await chooseBase(client, named)]
  const known = (await listSources(client, bases)).find(
    (one) => one.type === source.type && addressOf(one) === addressOf(source),
  )
  const home = bases.find(({ id }) => id === known?.knowledge_base_id)
  if (known !== undefined && home !== undefined)
    return { base: home, sourceId: known.id, isNewBase: false, isNewSource: false }
  const given = named === undefined ? undefined : bases[0]
  const base = given ?? (await makeBase(input, client, bases, source))
  const isNewBase = given === undefined
  try {
    const made = await client.json<{ id: string }>(
      'POST',
      `/api/v1/knowledge-bases/${base.id}/sources`,
      source,
    )
    return { base, sourceId: made.id, isNewBase, isNewSource: true }
  } catch (error) {
    if (isNewBase) await client.lastly('DELETE', `/api/v1/knowledge-bases/${base.id}`, { confirm: base.name })
    throw error
  }
}

async function makeBase(
  { words, typed }: CommandInput,
  client: ServiceClient,
  bases: readonly KnowledgeBaseSummary[],
  source: NewSource,
): Promise<KnowledgeBaseSummary> {
  const taken = new Set(bases.map(({ name }) => name.toLowerCase()))
  const name = namesFor(source).find((one) => !taken.has(one.toLowerCase())) ?? source.name
  try {
    return await client.json<KnowledgeBaseSummary>('POST', '/api/v1/knowledge-bases', { name })
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.more.code !== 'PROJECT_LIMIT_REACHED') throw error
    const again = typed(`up ${shellWord(words[0] ?? '')} --kb NAME`)
    throw new CommandFailure(error.exitCode, error.message, {
      ...error.more,
      hint: `${again} to add it to one that there is, or ${typed('delete NAME')}`,
    })
  }
}
