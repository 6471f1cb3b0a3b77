import { chooseBase, listBases } from './choose-base.ts'
import { chooseNamed } from './choose-named.ts'
import { CommandFailure, EXIT, type Command, type CommandInput } from './command.ts'
import { confirmName } from './confirm-name.ts'
import { listSources } from './list-all.ts'
import { oneLine } from './printable.ts'
import { connectService, type ServiceClient } from './service-client.ts'

interface Preview {
  counts: Record<string, number>
}

/** `, with 3 sources and 526 documents` */
function takesAway({ counts }: Preview): string {
  const held = Object.entries(counts).filter(([, count]) => count > 0)
  const parts = held.map(([noun, count]) => {
    const words = noun.replaceAll('_', ' ')
    return `${count.toLocaleString('en')} ${count === 1 ? words.replace(/s$/, '') : words}`
  })
  if (parts.length === 0) return ''
  return `, with ${[parts.slice(0, -1).join(', '), parts.at(-1)].filter((part) => part !== '').join(' and ')}`
}

async function deleteBase(input: CommandInput, client: ServiceClient, named: string): Promise<void> {
  const base = chooseNamed(await listBases(client), named, 'knowledge base')
  const path = `/api/v1/knowledge-bases/${base.id}`
  await confirmName(input, base, takesAway(await client.json<Preview>('GET', `${path}/deletion-preview`)))
  const deleted = await client.json('DELETE', path, { confirm: base.name })
  if (input.terminal.isJson) input.terminal.json(deleted)
  else input.terminal.result(`Deleted the knowledge base "${oneLine(base.name)}".`)
}

async function deleteSource(input: CommandInput, client: ServiceClient, named: string): Promise<void> {
  const { kb } = input.options
  const bases = kb === undefined ? await listBases(client) : [await chooseBase(client, kb)]
  const source = chooseNamed(await listSources(client, bases), named, 'source')
  await confirmName(input, source, `, with its ${source.document_count.toLocaleString('en')} documents`)
  await client.request('DELETE', `/api/v1/sources/${source.id}`)
  if (input.terminal.isJson) input.terminal.json({ deleted: true, id: source.id })
  else input.terminal.result(`Deleted the source "${oneLine(source.name)}".`)
}

export const deleteCommand: Command = {
  usage: '[base] NAME | source NAME [--kb NAME] [--confirm NAME]',
  summary: 'Delete a knowledge base, or a source, for good.',
  options: {
    kb: { type: 'string', about: 'where the source is, by name or id' },
    confirm: { type: 'string', about: 'the exact name again: nobody is asked then' },
  },
  run: async (input) => {
    const [first, second, ...more] = input.words
    const isNoun = first === 'base' || first === 'source'
    const name = isNoun ? second : first
    if (name === undefined || more.length > 0 || (!isNoun && second !== undefined))
      throw new CommandFailure(EXIT.usage, 'Say which one: delete NAME, or delete source NAME.', {
        hint: 'citewell list',
      })
    await using client = await connectService(input)
    await (first === 'source' ? deleteSource : deleteBase)(input, client, name)
    return EXIT.ok
  },
}
