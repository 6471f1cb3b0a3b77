import { once } from 'node:events'
import { nameFolder } from '../named-folders.ts'
import { SAMPLE_FOLDER, startService } from '../start-service.ts'
import { listBases, type KnowledgeBaseSummary } from './choose-base.ts'
import { EXIT, type Command, type CommandInput } from './command.ts'
import { followSync, isFinished, summaryLine } from './follow-sync.ts'
import { printAnswer } from './print-answer.ts'
import { clientOf, type ServiceClient } from './service-client.ts'
import { oneLine } from './printable.ts'
import { localPathsOf, sourceOfArgument, type NewSource } from './source-of-argument.ts'

/** A large source goes on being read after this; the first question is asked of what is there by then. */
const ENOUGH_AFTER_SECONDS = 40

const OWN_DOCS: NewSource = {
  name: 'Citewell',
  type: 'repository',
  config: { url: SAMPLE_FOLDER, include: ['guide/**'] },
}

export const upCommand: Command = {
  usage: '[ADDRESS, FOLDER OR GIT ADDRESS]',
  summary: 'Start, read a first source, answer a first question, and keep serving.',
  options: { once: { type: 'boolean', about: 'stop after the first answer' } },
  run: async (input) => {
    const { settings, terminal, signal } = input
    const [argument] = input.words
    const wanted = argument === undefined ? undefined : sourceOfArgument(argument)
    for (const path of wanted === undefined ? [] : localPathsOf(wanted))
      nameFolder(settings.dataDirectory, path)
    const service = await startService(settings, { listens: true, works: true, readsNamedFolders: true })
    try {
      const send = (request: Request) => service.fetch(request)
      const client = clientOf(service.address, service.operatorToken, signal, send, async () => {})
      for (const notice of service.notices) terminal.note(`Note: ${notice}`)
      const bases = await listBases(client)
      const source = wanted ?? (bases.length === 0 ? OWN_DOCS : undefined)
      const base = source === undefined ? undefined : await readFirstSource(input, client, bases, source)
      if (base !== undefined) await askFirstQuestion(input, client, base)
      tellWhereItIs(input, service, base)
      if (input.options['once'] === true)
        return source !== undefined && base === undefined ? EXIT.error : EXIT.ok
      if (!signal.aborted) await once(signal, 'abort')
      return EXIT.ok
    } finally {
      await service.close()
    }
  },
}

async function readFirstSource(
  { terminal }: CommandInput,
  client: ServiceClient,
  bases: KnowledgeBaseSummary[],
  source: NewSource,
): Promise<KnowledgeBaseSummary | undefined> {
  const known = bases.find((base) => base.name === source.name)
  const base =
    known ??
    (await client.json<KnowledgeBaseSummary>('POST', '/api/v1/knowledge-bases', { name: source.name }))
  const sources = await client.json<{ data: { id: string; name: string }[] }>(
    'GET',
    `/api/v1/knowledge-bases/${base.id}/sources`,
  )
  const { id } =
    sources.data.find((one) => one.name === source.name) ??
    (await client.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, source))
  const started = await client.json<{ id: string }>('POST', `/api/v1/sources/${id}/sync`)
  const startedAt = Date.now()
  const sync = await followSync(client, terminal, source.name, started.id, (latest) => {
    const hasSome = latest.counts.added + latest.counts.changed + latest.counts.unchanged > 0
    return hasSome && Date.now() - startedAt > ENOUGH_AFTER_SECONDS * 1_000
  })
  if (sync.status === 'failed') {
    terminal.note(`${terminal.style.fault('✗')} ${sync.error ?? `${source.name} could not be read.`}`)
  } else if (isFinished(sync)) {
    terminal.note(`${terminal.style.accent('✓')} ${oneLine(source.name)}: ${summaryLine(sync)}`)
  } else {
    terminal.note(`${source.name} is large: it is read on in the background.`)
  }
  return sync.status === 'failed' ? undefined : base
}

async function askFirstQuestion(
  { terminal }: CommandInput,
  client: ServiceClient,
  base: KnowledgeBaseSummary,
) {
  const { questions } = await client.json<{ questions: string[] }>(
    'GET',
    `/api/v1/knowledge-bases/${base.id}/suggested-questions`,
  )
  const [question] = questions
  if (question === undefined) return
  if (!terminal.isJson) terminal.result(`\n${terminal.style.bold(`“${question}”`)}\n`)
  await printAnswer(
    terminal,
    await client.request('POST', `/api/v1/knowledge-bases/${base.id}/chat`, { query: question }),
  )
}

function tellWhereItIs(
  { terminal }: CommandInput,
  service: { address: string | undefined; setupLink: string | undefined },
  base: KnowledgeBaseSummary | undefined,
): void {
  const named = base === undefined ? '' : ` --kb "${base.name}"`
  terminal.note('')
  terminal.note(
    `Citewell is at   ${terminal.style.accent(service.address ?? '')}   (API: ${service.address}/docs)`,
  )
  if (service.setupLink !== undefined)
    terminal.note(`Set it up        ${service.setupLink}   (once, within a day)`)
  terminal.note(`Ask              npx citewell ask${named} "your question"`)
  terminal.note('Stop             Ctrl+C')
}
