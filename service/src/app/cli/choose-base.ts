import { CommandFailure, EXIT } from './command.ts'
import { chooseNamed, quotedNames } from './choose-named.ts'
import { listAll } from './list-all.ts'
import type { ServiceClient } from './service-client.ts'
import { namedForShell } from './typed-command.ts'

export interface KnowledgeBaseSummary {
  id: string
  name: string
  type: 'external' | 'internal'
  status: 'active' | 'archived'
  document_count: number
}

/** Every knowledge base that the token may see. */
export const listBases = async (client: ServiceClient): Promise<KnowledgeBaseSummary[]> =>
  await listAll(client, '/api/v1/knowledge-bases')

/** The knowledge base that was named (by name or id), or the only one there is. */
export async function chooseBase(
  client: ServiceClient,
  named: string | boolean | undefined,
): Promise<KnowledgeBaseSummary> {
  const bases = await listBases(client)
  const names = quotedNames(bases)
  if (bases.length === 0)
    throw new CommandFailure(EXIT.notFound, 'There is no knowledge base yet.', {
      hint: 'citewell up https://docs.example.com',
    })
  if (typeof named === 'string') return chooseNamed(bases, named, 'knowledge base')
  const [first, second] = bases
  if (first === undefined || second !== undefined) {
    const example = first === undefined ? 'NAME' : namedForShell(first)
    throw new CommandFailure(
      EXIT.usage,
      `There are several knowledge bases: ${names}. Name one with --kb NAME.`,
      { hint: `--kb ${example}` },
    )
  }
  return first
}
