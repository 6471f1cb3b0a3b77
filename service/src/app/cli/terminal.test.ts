import { expect, test } from 'vitest'
import { bar, createTerminal } from './terminal.ts'

function terminalOn(wish: { isTerminal: boolean; isJson: boolean; hasColor: boolean }) {
  const written = { stdout: '', stderr: '' }
  const stream = (name: 'stdout' | 'stderr') => ({
    isTTY: wish.isTerminal,
    columns: 40,
    write: (text: string) => {
      written[name] += text
    },
  })
  const terminal = createTerminal(
    { stdout: stream('stdout'), stderr: stream('stderr') },
    { isJson: wish.isJson, hasColor: wish.hasColor, isCi: false, isDumb: false },
  )
  return { terminal, written }
}

test('results go to stdout and everything else to stderr', () => {
  const { terminal, written } = terminalOn({ isTerminal: false, isJson: false, hasColor: true })
  terminal.note('reading')
  terminal.result('the answer')
  expect(written).toEqual({ stdout: 'the answer\n', stderr: 'reading\n' })
})

test('JSON has its keys in order, one line', () => {
  const { terminal, written } = terminalOn({ isTerminal: true, isJson: true, hasColor: true })
  terminal.json({ b: 1, a: [{ d: 2, c: 3 }] })
  expect(written.stdout).toBe('{"a":[{"c":3,"d":2}],"b":1}\n')
})

test('progress is redrawn on a terminal, and never wider than it', () => {
  const { terminal, written } = terminalOn({ isTerminal: true, isJson: false, hasColor: false })
  terminal.progress('x'.repeat(100))
  terminal.note('done')
  expect(written.stderr).toBe(`\r\u001B[K${'x'.repeat(39)}\r\u001B[Kdone\n`)
})

test('without a terminal a line of progress is written at once, and the next not before ten seconds', () => {
  const { terminal, written } = terminalOn({ isTerminal: false, isJson: false, hasColor: false })
  terminal.progress('1 of 3')
  terminal.progress('2 of 3')
  expect(written.stderr).toBe('1 of 3\n')
})

test('no colours where they are not wished', () => {
  const { terminal } = terminalOn({ isTerminal: true, isJson: false, hasColor: false })
  expect(terminal.style.accent('[1]')).toBe('[1]')
})

test('a bar is full at its end and not before', () => {
  expect(bar(0, 4)).toBe('░░░░')
  expect(bar(0.5, 4)).toBe('██░░')
  expect(bar(2, 4)).toBe('████')
})
