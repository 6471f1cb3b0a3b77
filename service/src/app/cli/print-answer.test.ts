import { expect, test } from 'vitest'
import { printAnswer } from './print-answer.ts'
import { createTerminal } from './terminal.ts'

const cited = (index: number, section: string) => ({
  index,
  title: 'Keys',
  url: `https://docs.test/keys#${section}`,
  heading_path: [section],
})

/** What is printed of an answer that is streamed in these pieces, and whose text in the end is another. */
async function printed(deltas: string[], done: object, columns?: number): Promise<string> {
  let text = ''
  const stdout = {
    write: (piece: string) => (text += piece),
    ...(columns !== undefined && { isTTY: true, columns }),
  }
  const terminal = createTerminal(
    { stdout, stderr: { write: () => true } },
    { isJson: false, isCi: false, isDumb: true, hasColor: false },
  )
  const frames = [
    { done: false, citations: [cited(4, 'found')] },
    ...deltas.map((delta) => ({ delta, done: false })),
    { done: true, covered: true, ...done },
  ]
  const body = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')
  await printAnswer(terminal, new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
  return text
}

const TWO = { citations: [cited(1, 'rotate'), cited(2, 'revoke')] }
const SOURCES = [
  '[1] Keys › rotate',
  '    https://docs.test/keys#rotate',
  '[2] Keys › revoke',
  '    https://docs.test/keys#revoke',
  '',
].join('\n')

test.each([undefined, 80])(
  'two quotes of one passage have the numbers of their places, on %s columns',
  async (columns) => {
    const answer = 'It says:\n\n> Rotate it. [1]\n\nFrom Keys:\n\n> Revoke it. [2]'
    const shown = columns === undefined ? answer : answer.replaceAll('> ', '│ ')
    const deltas = ['It says:', '\n\n> Rotate it. [4]', '\n\nFrom Keys:\n\n> Revoke it. [4]']
    expect(await printed(deltas, { ...TWO, answer }, columns)).toBe(`${shown}\n\n${SOURCES}`)
  },
)

test('so have two sentences of a model', async () => {
  const answer = 'Rotate it [1]. Revoke it [2].'
  const deltas = ['Rotate it [4]. ', 'Revoke it [4].']
  expect(await printed(deltas, { ...TWO, answer })).toBe(`${answer}\n\n${SOURCES}`)
  // A terminal shows the words as they arrive, and the checked text where its numbers are others.
  expect(await printed(deltas, { ...TWO, answer }, 80)).toBe(
    `Rotate it [1]. Revoke it [1].\n\n${answer}\n\n${SOURCES}`,
  )
})

test('names above quotes are printed as they are, and the words of a quote as Markdown', async () => {
  const answer =
    String.raw`From git \[EXPERIMENTAL\] &lt;oldbranch&gt;:` + '\n\n' + String.raw`> As \[it\] is. [1]`
  expect(
    await printed([answer.replace('[1]', '[4]')], { citations: [cited(1, 'rotate')], answer }),
  ).toContain('From git [EXPERIMENTAL] <oldbranch>:\n\n' + String.raw`> As \[it\] is. [1]`)
})
