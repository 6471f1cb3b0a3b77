import { CommandFailure, EXIT, type Command } from './command.ts'
import { numberOption } from './number-option.ts'
import { oneLine } from './printable.ts'
import { DAY_MS } from '../../kernel/duration.ts'
import { connectService } from './service-client.ts'

interface AccessToken {
  id: string
  name: string
  scopes: string[]
  expires_at: string | null
  last_used_at: string | null
}

/** A hundred years: whoever wants longer gives none. */
const MOST_DAYS = 36_500

export const tokenCommand: Command = {
  usage: 'create NAME [--scopes read,config,admin] [--days N] | list | revoke ID',
  summary: 'Make, list and revoke access tokens for the management API.',
  options: {
    scopes: { type: 'string', about: 'what it may do, comma-separated: read, config, admin (all three)' },
    days: { type: 'string', about: 'days until it ends (never)' },
  },
  run: async (input) => {
    const [action, subject] = input.words
    const { terminal, options } = input
    if (action !== 'list' && (subject === undefined || (action !== 'create' && action !== 'revoke')))
      throw new CommandFailure(EXIT.usage, 'Say create NAME, list, or revoke ID.', {
        hint: 'citewell token --help',
      })
    const days = numberOption(input, 'days', { least: 1, most: MOST_DAYS })
    await using client = await connectService(input)
    if (action === 'create') {
      const created = await client.json<AccessToken & { token: string }>('POST', '/api/v1/access-tokens', {
        name: subject,
        scopes: String(options['scopes'] ?? 'read,config,admin')
          .split(',')
          .map((scope) => scope.trim()),
        ...(days !== undefined && { expires_at: new Date(Date.now() + days * DAY_MS).toISOString() }),
      })
      if (terminal.isJson) terminal.json(created)
      else {
        terminal.result(created.token)
        terminal.note('Keep it now: it is not shown again.')
      }
    } else if (action === 'revoke') {
      await client.request('DELETE', `/api/v1/access-tokens/${subject}`)
      if (terminal.isJson) terminal.json({ revoked: true, id: subject })
      else terminal.note('Revoked.')
    } else {
      const { data } = await client.json<{ data: AccessToken[] }>('GET', '/api/v1/access-tokens?limit=200')
      if (terminal.isJson) terminal.json({ data })
      for (const token of terminal.isJson ? [] : data) {
        terminal.result(
          `${token.id}  ${oneLine(token.name)}  ${token.scopes.join(',')}  last used ${token.last_used_at ?? 'never'}`,
        )
      }
    }
    return EXIT.ok
  },
}
