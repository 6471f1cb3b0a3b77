import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { oneLine, printable } from './printable.ts'
import { createTerminal } from './terminal.ts'

const HOSTILE = 'docs\r\n✓ all well\u001B[2J\u009B31m\u202Egnp.exe\0'

function terminalOf(wish: { isJson: boolean; hasColor: boolean }) {
  let written = ''
  const stream = { write: (text: string) => (written += text), isTTY: true }
  const terminal = createTerminal({ stdout: stream, stderr: stream }, { ...wish, isCi: false, isDumb: false })
  return { terminal, written: () => written }
}

verifies(
  'activity-log.no-log-injection',
  'names cannot act on the terminal of whoever reads them, or pass for a line of ours',
  () => {
    expect(oneLine(HOSTILE)).toBe('docs\\r\\n✓ all well\\u001b[2J\\u009b31m\\u202egnp.exe\\u0000')
    expect(printable('one\n\ttwo')).toBe('one\n\ttwo')

    const coloured = terminalOf({ isJson: false, hasColor: true })
    coloured.terminal.result(`${coloured.terminal.style.fault('✗')} ${HOSTILE}`)
    coloured.terminal.note(HOSTILE)
    coloured.terminal.piece(HOSTILE)
    expect(coloured.written()).toContain('\u001B[31m✗\u001B[0m docs\\r\n')
    for (const acting of ['\u001B[2J', '\u009B', '\u202E', '\r']) {
      expect(coloured.written()).not.toContain(acting)
    }

    const json = terminalOf({ isJson: true, hasColor: false })
    json.terminal.json({ name: HOSTILE })
    for (const acting of ['\u001B', '\u009B', '\u202E']) expect(json.written()).not.toContain(acting)
    expect(JSON.parse(json.written())).toEqual({ name: HOSTILE })
  },
)
