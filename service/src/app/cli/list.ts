import { chooseBase, listBases, type KnowledgeBaseSummary } from './choose-base.ts'
import { CommandFailure, EXIT, type Command, type CommandInput } from './command.ts'
import { listSources, type SourceSummary } from './list-all.ts'
import { connectService } from './service-client.ts'
import { tableLines } from './table.ts'
import { timeAgo } from './time-ago.ts'

const lastRead = (sources: readonly SourceSummary[]): string | null =>
  sources
    .flatMap(({ last_sync }) => last_sync?.finished_at ?? [])
    .toSorted()
    .at(-1) ?? null

const told = (time: string | null) => (time === null ? 'never' : timeAgo(time, new Date()))

function printBases({ terminal }: CommandInput, bases: KnowledgeBaseSummary[], sources: SourceSummary[]) {
  const data = bases.map((base) => {
    const own = sources.filter((source) => source.knowledge_base_id === base.id)
    return { ...base, source_count: own.length, last_sync_at: lastRead(own) }
  })
  if (terminal.isJson) return terminal.json({ data })
  if (data.length === 0) return terminal.note('There is no knowledge base yet.')
  const rows = data.map((base) => [
    base.name,
    base.status === 'archived' ? 'archived' : base.type,
    base.document_count.toLocaleString('en'),
    String(base.source_count),
    told(base.last_sync_at),
    base.id,
  ])
  const heads = ['NAME', 'TYPE', 'DOCUMENTS', 'SOURCES', 'LAST SYNC', 'ID']
  for (const line of tableLines(heads, rows, terminal.columns)) terminal.result(line)
}

function printSources({ terminal }: CommandInput, bases: KnowledgeBaseSummary[], sources: SourceSummary[]) {
  if (terminal.isJson) return terminal.json({ data: sources })
  if (sources.length === 0) return terminal.note('There is no source yet.')
  const nameOf = new Map(bases.map(({ id, name }) => [id, name]))
  const rows = sources.map((source) => [
    source.name,
    nameOf.get(source.knowledge_base_id) ?? '',
    source.type,
    source.document_count.toLocaleString('en'),
    source.status,
    told(lastRead([source])),
    source.id,
  ])
  const heads = ['NAME', 'KNOWLEDGE BASE', 'TYPE', 'DOCUMENTS', 'STATUS', 'LAST SYNC', 'ID']
  for (const line of tableLines(heads, rows, terminal.columns)) terminal.result(line)
}

export const listCommand: Command = {
  usage: '[bases | sources] [--kb NAME]',
  summary: 'List the knowledge bases, or their sources.',
  options: { kb: { type: 'string', about: 'only this knowledge base, by name or id' } },
  run: async (input) => {
    const [what = 'bases', ...more] = input.words
    if (more.length > 0 || (what !== 'bases' && what !== 'sources'))
      throw new CommandFailure(EXIT.usage, 'Say list, list bases, or list sources.', {
        hint: 'citewell list sources',
      })
    await using client = await connectService(input)
    const named = input.options['kb']
    const bases = named === undefined ? await listBases(client) : [await chooseBase(client, named)]
    const sources = await listSources(client, bases)
    if (what === 'sources') printSources(input, bases, sources)
    else printBases(input, bases, sources)
    return EXIT.ok
  },
}
