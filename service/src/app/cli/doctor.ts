import { EXIT, type Command } from './command.ts'
import { oneLine } from './printable.ts'
import { connectService } from './service-client.ts'

interface Check {
  name: string
  status: 'ok' | 'warning' | 'fault'
  detail: string
}

const MARK = { ok: '✓', warning: '!', fault: '✗' } as const

export const doctorCommand: Command = {
  usage: '[--audit]',
  summary: 'Look whether everything is in order: storage, index, models, tools.',
  options: { audit: { type: 'boolean', about: 'also recompute the chain of every activity log' } },
  run: async (input) => {
    const { terminal } = input
    await using client = await connectService(input)
    const path = `/api/v1/diagnostics${input.options['audit'] === true ? '?audit=true' : ''}`
    const { checks } = await client.json<{ checks: Check[] }>('GET', path)
    if (terminal.isJson) terminal.json({ checks })
    for (const check of terminal.isJson ? [] : checks) {
      const mark = MARK[check.status]
      const shown = check.status === 'ok' ? terminal.style.accent(mark) : terminal.style.fault(mark)
      terminal.result(`${shown} ${check.name.padEnd(16)} ${oneLine(check.detail)}`)
    }
    return checks.some((check) => check.status === 'fault') ? EXIT.findings : EXIT.ok
  },
}
