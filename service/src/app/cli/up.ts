import { once } from 'node:events'
import { SAMPLE_SOURCE } from '../../content/sources/sources.ts'
import { listBases, type KnowledgeBaseSummary } from './choose-base.ts'
import { CommandFailure, EXIT, type Command, type CommandInput } from './command.ts'
import { openForUp, type OpenForUp } from './open-for-up.ts'
import { printAnswer } from './print-answer.ts'
import { readNewSource } from './read-new-source.ts'
import { LISTENING_SETTINGS } from './serve.ts'
import type { ServiceClient } from './service-client.ts'
import { sourceOfArgument, type NewSource } from './source-of-argument.ts'
import { namedForShell, shellWord } from './typed-command.ts'

const ALLOW_PRIVATE = 'CITEWELL_ALLOW_PRIVATE_NETWORK'

const OWN_DOCS: NewSource = { ...SAMPLE_SOURCE, config: { ...SAMPLE_SOURCE.config } }

export const upCommand: Command = {
  usage: '[ADDRESS, FOLDER OR GIT ADDRESS] [--kb NAME]',
  summary: 'Start, read a source, answer a first question, and keep serving. Adds to the service that runs.',
  options: {
    kb: { type: 'string', about: 'add it to this knowledge base (else it gets one of its own)' },
    once: { type: 'boolean', about: 'stop after the first answer' },
  },
  environment: LISTENING_SETTINGS,
  run: async (input) => {
    const { terminal, signal, options } = input
    const [argument, ...more] = input.words
    if (more.length > 0)
      throw new CommandFailure(
        EXIT.usage,
        'Give one address. Each further one is another up, while this one runs.',
      )
    if (argument === undefined && options['kb'] !== undefined)
      throw new CommandFailure(EXIT.usage, 'Which address is to be read into it?', {
        hint: 'citewell up https://docs.example.com --kb NAME',
      })
    const wanted = argument === undefined ? undefined : sourceOfArgument(argument)
    const isOnce = options['once'] === true
    const open = await openForUp(input, wanted, !isOnce)
    const { own } = open
    await using client = open.client
    for (const notice of own?.notices ?? []) terminal.note(`Note: ${notice}`)
    const isFirst = own !== undefined && wanted === undefined && (await listBases(client)).length === 0
    const source = wanted ?? (isFirst ? OWN_DOCS : undefined)
    const base =
      source === undefined
        ? undefined
        : await readNewSource(input, client, source).catch(adviseOnPrivate(input, source, own === undefined))
    if (base !== undefined) await askFirstQuestion(input, client, base).catch(tellUnlessStopped(input))
    tellWhereItIs(input, open, base, isOnce)
    if (own !== undefined && !isOnce && !signal.aborted) await once(signal, 'abort')
    return EXIT.ok
  },
}

/** Who starts a service on a machine is its operator, and may let it read this machine. */
const adviseOnPrivate =
  ({ typed, words }: CommandInput, { config }: NewSource, isRunning: boolean) =>
  (error: unknown): never => {
    const address: unknown = Array.isArray(config['start_urls']) ? config['start_urls'][0] : undefined
    const host = typeof address === 'string' ? URL.parse(address)?.hostname : undefined
    const isPrivate = error instanceof CommandFailure && error.message.includes(ALLOW_PRIVATE)
    if (!isPrivate || host === undefined) throw error
    const again = `${ALLOW_PRIVATE}=${shellWord(host)} ${typed(`up ${shellWord(words[0] ?? '')}`)}`
    throw new CommandFailure(error.exitCode, error.message, {
      ...error.more,
      hint: isRunning ? `stop the service that runs, and start it with ${again}` : again,
    })
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

/** What was read stays, and is served, also where the first answer failed. */
const tellUnlessStopped =
  ({ terminal, signal }: CommandInput) =>
  (error: unknown) => {
    if (signal.aborted || !(error instanceof CommandFailure)) throw error
    terminal.note(`${terminal.style.fault('✗')} No first answer: ${error.message}`)
  }

/** The demo is shown to browsers of this machine. */
const isHere = (address: string) => /^(?:localhost|127[.\d]+|\[::1\])$/.test(new URL(address).hostname)

/** Only what is true once this command waits, or has ended. */
function tellWhereItIs(
  { terminal, typed, options }: CommandInput,
  { client, own }: OpenForUp,
  base: KnowledgeBaseSummary | undefined,
  isOnce: boolean,
): void {
  const named = base === undefined ? '' : ` --kb ${namedForShell(base)}`
  const remote = typeof options['url'] === 'string' ? ` --url ${options['url']}` : ''
  const keepsRunning = own === undefined ? client.address !== undefined : !isOnce
  terminal.note('')
  if (own === undefined && base === undefined) terminal.note('Citewell is running already.')
  if (keepsRunning && client.address !== undefined) {
    const address = terminal.style.accent(client.address)
    terminal.note(`Citewell is at   ${address}   (API: ${client.address}/docs)`)
  }
  if (keepsRunning && client.address !== undefined && isHere(client.address))
    terminal.note(`On a page        ${client.address}/widget/demo   (the website widget)`)
  if (keepsRunning && own?.setupLink !== undefined)
    terminal.note(
      `Open it          ${terminal.style.accent(own.setupLink)}   (signed in; once, within an hour)`,
    )
  terminal.note(`Ask              ${typed(`ask${named}${remote} "your question"`)}`)
  if (own !== undefined && !isOnce) {
    terminal.note(`Add a site       ${typed('up https://docs.example.com')}   (in another terminal)`)
    terminal.note('Stop             Ctrl+C')
  }
}
