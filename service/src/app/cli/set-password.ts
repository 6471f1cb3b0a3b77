import { CommandFailure, EXIT, type Command } from './command.ts'
import { connectService } from './service-client.ts'

export const setPasswordCommand: Command = {
  usage: 'E-MAIL',
  summary: 'Make a link with which a member sets a new password.',
  options: {},
  run: async (input) => {
    const [email] = input.words
    const { terminal } = input
    if (email === undefined)
      throw new CommandFailure(EXIT.usage, 'Say whose password it is.', {
        hint: 'citewell set-password --help',
      })
    await using client = await connectService(input)
    const link = await client.json<{ email: string; url: string; expires_at: string }>(
      'POST',
      '/api/v1/password-links',
      { email },
    )
    if (terminal.isJson) terminal.json(link)
    else {
      terminal.result(link.url)
      terminal.note(`For ${link.email}. It works once, for a day, while the service runs.`)
    }
    return EXIT.ok
  },
}
