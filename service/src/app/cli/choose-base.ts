import { CommandFailure, EXIT } from './command.ts'
import type { ServiceClient } from './service-client.ts'

export interface KnowledgeBaseSummary {
  id: string
  name: string
  document_count: number
}

/** Every knowledge base that the token may see. */
export async function listBases(client: ServiceClient): Promise<KnowledgeBaseSummary[]> {
  return (await client.json<{ data: KnowledgeBaseSummary[] }>('GET', '/api/v1/knowledge-bases?limit=200'))
    .data
}

/** The knowledge base that was named (by name or id), or the only one there is. */
export async function chooseBase(
  client: ServiceClient,
  named: string | boolean | undefined,
): Promise<KnowledgeBaseSummary> {
  const bases = await listBases(client)
  const names = bases.map((base) => `"${base.name}"`).join(', ')
  if (bases.length === 0) {
    throw new CommandFailure(EXIT.notFound, 'There is no knowledge base yet.', {
      hint: 'citewell up https://docs.example.com',
    })
  }
  if (typeof named === 'string') {
    const wanted = named.toLowerCase()
    const found = bases.find((base) => base.id === wanted || base.name.toLowerCase() === wanted)
    if (found === undefined)
      throw new CommandFailure(EXIT.notFound, `There is no knowledge base "${named}": ${names}.`)
    return found
  }
  const [first, second] = bases
  if (first === undefined || second !== undefined) {
    throw new CommandFailure(EXIT.usage, `There are several knowledge bases: ${names}.`, {
      hint: 'name one with --kb',
    })
  }
  return first
}
