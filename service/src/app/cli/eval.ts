import { chooseBase } from './choose-base.ts'
import { CommandFailure, EXIT, type Command, type CommandInput } from './command.ts'
import { addToSet, evaluateSet } from './evaluate-set.ts'
import { figuresOf, placeOf, type AskedQuestion, type QuestionFigures } from './measure-questions.ts'
import { readEvents } from './read-events.ts'
import { readQuestionFile, type ExpectedAnswer } from './read-question-file.ts'
import { connectService, type ServiceClient } from './service-client.ts'
import { bar, type Terminal } from './terminal.ts'

const BAR_WIDTH = 24
/** Pages asked for: the measures look no deeper. */
const PAGES = 10
const MISSES_SHOWN = 10

export const evalCommand: Command = {
  usage: '[QUESTIONS.jsonl] [--add FILE] [--kb NAME] [--min-hit5 SHARE]',
  summary:
    'Measure how well questions with known pages are found, and what is not covered refused: those of a file, or the evaluation set of the base.',
  options: {
    add: {
      type: 'string',
      about: 'first add the questions of this file (JSON Lines or CSV) to the evaluation set',
    },
    kb: { type: 'string', about: 'knowledge base, by name or id (not needed when there is one)' },
    'min-hit5': { type: 'string', about: 'exit with 6 when fewer are found in the first 5, e.g. 0.8' },
  },
  run: async (input) => {
    const { terminal, signal } = input
    const [file, ...more] = input.words
    if (more.length > 0)
      throw new CommandFailure(EXIT.usage, 'Which file of questions? Only one is read.', {
        hint: 'citewell eval questions.jsonl',
      })
    const least = leastOf(input.options['min-hit5'])
    if (file === undefined) return await runSet(input, least)
    const questions = readQuestionFile(file)
    await using client = await connectService(input)
    const base = await chooseBase(client, input.options['kb'])
    const path = `/api/v1/knowledge-bases/${base.id}`
    // An answer may cost money and is kept as a conversation: it is asked for where refusing is to be judged.
    const isAnswered = questions.some(({ isAnswerable }) => !isAnswerable)
    const asked: AskedQuestion[] = []
    for (const question of questions) {
      signal.throwIfAborted()
      const share = asked.length / questions.length
      terminal.progress(`${bar(share, BAR_WIDTH)} ${asked.length}/${questions.length} ${question.question}`)
      asked.push(await ask(client, path, question, isAnswered))
    }
    terminal.endProgress()
    const figures = figuresOf(asked)
    print(terminal, figures, asked)
    return judge(terminal, figures, least)
  },
}

/** Runs the evaluation set that the base keeps. */
async function runSet(input: CommandInput, least: number | undefined): Promise<number> {
  await using client = await connectService(input)
  const base = await chooseBase(client, input.options['kb'])
  const path = `/api/v1/knowledge-bases/${base.id}`
  const of = { client, terminal: input.terminal, signal: input.signal }
  const added = input.options['add']
  if (typeof added === 'string') await addToSet(of, path, added)
  return await evaluateSet(of, path, least)
}

/** @throws CommandFailure where it is no share. */
function leastOf(given: string | boolean | undefined): number | undefined {
  if (typeof given !== 'string') return undefined
  const least = given.trim() === '' ? Number.NaN : Number(given)
  if (least >= 0 && least <= 1) return least
  throw new CommandFailure(EXIT.usage, '--min-hit5 is a share from 0 to 1.', { hint: '--min-hit5 0.8' })
}

async function ask(
  client: ServiceClient,
  path: string,
  expected: ExpectedAnswer,
  isAnswered: boolean,
): Promise<AskedQuestion> {
  const { results } = await client.json<{ results: { url: string }[] }>('POST', `${path}/search`, {
    query: expected.question,
    limit: PAGES,
  })
  return {
    ...expected,
    found: results.map(({ url }) => url),
    isCovered: isAnswered ? await isCovered(client, path, expected.question) : undefined,
  }
}

async function isCovered(client: ServiceClient, path: string, query: string): Promise<boolean> {
  const response = await client.request('POST', `${path}/chat`, { query })
  for await (const frame of readEvents(response)) {
    if (typeof frame['error'] === 'string')
      throw new CommandFailure(EXIT.error, `"${query}" was not answered: ${frame['error']}`)
    if (frame['done'] === true) return frame['covered'] !== false
  }
  throw new CommandFailure(EXIT.error, `The answer to "${query}" ended before it was whole.`)
}

const percent = (share: number) => `${(share * 100).toFixed(1)}%`.padStart(6)

function print(terminal: Terminal, figures: QuestionFigures, asked: readonly AskedQuestion[]): void {
  const { ranking, refusedRightly, answered } = figures
  if (terminal.isJson) {
    terminal.json({
      questions: figures.questions,
      ...(ranking !== undefined && {
        hit1: ranking.hit1,
        hit5: ranking.hit5,
        hit10: ranking.hit10,
        mrr10: ranking.mrr10,
      }),
      ...(refusedRightly.of > 0 && { refused_rightly: refusedRightly.count / refusedRightly.of }),
      ...(answered.of > 0 && { answered: answered.count / answered.of }),
    })
    return
  }
  const rows: [string, string][] = [
    ['questions', String(figures.questions).padStart(6)],
    ...(ranking === undefined
      ? []
      : ([
          ['found first', percent(ranking.hit1)],
          ['found in the first 5', percent(ranking.hit5)],
          ['found in the first 10', percent(ranking.hit10)],
          ['MRR', ranking.mrr10.toFixed(3).padStart(6)],
        ] satisfies [string, string][])),
    ...countRow('refused rightly', refusedRightly),
    ...countRow('answered', answered),
  ]
  for (const [name, value] of rows) terminal.result(`${name.padEnd(22)} ${terminal.style.bold(value)}`)
  printMisses(terminal, asked)
}

const countRow = (name: string, { count, of }: { count: number; of: number }): [string, string][] =>
  of === 0 ? [] : [[name, `${percent(count / of)}  ${count} of ${of}`]]

/** What to look into: pages that were not found, and questions on the wrong side of the gate. */
function printMisses(terminal: Terminal, asked: readonly AskedQuestion[]): void {
  const wrong = asked.flatMap((question) => {
    if (question.isCovered === true && !question.isAnswerable) return [`answered: ${question.question}`]
    if (question.isCovered === false && question.isAnswerable) return [`refused: ${question.question}`]
    const isMissed = question.urls.length > 0 && (placeOf(question) ?? PAGES) > 5
    return isMissed ? [`not in the first 5: ${question.question}`] : []
  })
  if (wrong.length === 0) return
  terminal.note('')
  for (const line of wrong.slice(0, MISSES_SHOWN)) terminal.note(`${terminal.style.fault('✗')} ${line}`)
  if (wrong.length > MISSES_SHOWN) terminal.note(`  and ${wrong.length - MISSES_SHOWN} more`)
}

function judge(terminal: Terminal, { ranking }: QuestionFigures, least: number | undefined): number {
  if (least === undefined) return EXIT.ok
  if (ranking === undefined)
    throw new CommandFailure(EXIT.validation, 'No question names a page to be found.')
  if (ranking.hit5 >= least) return EXIT.ok
  if (!terminal.isJson) {
    const reached = `${percent(ranking.hit5).trim()} are found in the first 5; at least ${percent(least).trim()} were wanted.`
    terminal.note(`${terminal.style.fault('✗')} ${reached}`)
  }
  return EXIT.findings
}
