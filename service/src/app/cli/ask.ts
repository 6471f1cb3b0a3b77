import { chooseBase } from './choose-base.ts'
import { CommandFailure, EXIT, type Command } from './command.ts'
import { printAnswer } from './print-answer.ts'
import { oneLine } from './printable.ts'
import { connectService } from './service-client.ts'
import { namedForShell } from './typed-command.ts'

export const askCommand: Command = {
  usage: '"QUESTION" [--kb NAME] [--thread ID]',
  summary: 'Ask a question; the answer is streamed, with its numbered sources under it.',
  options: {
    kb: { type: 'string', about: 'knowledge base, by name or id (not needed when there is one)' },
    thread: { type: 'string', about: 'go on with an earlier conversation' },
  },
  run: async (input) => {
    const query = input.words.join(' ').trim()
    if (query === '')
      throw new CommandFailure(EXIT.usage, 'What is the question?', { hint: 'citewell ask "How do I …?"' })
    await using client = await connectService(input)
    const base = await chooseBase(client, input.options['kb'])
    const response = await client.request('POST', `/api/v1/knowledge-bases/${base.id}/chat`, {
      query,
      ...(typeof input.options['thread'] === 'string' && { thread_id: input.options['thread'] }),
    })
    const { threadId } = await printAnswer(input.terminal, response)
    const { terminal, options } = input
    if (typeof options['thread'] === 'string' && threadId !== options['thread'].toLowerCase())
      terminal.note(
        `There is no conversation ${oneLine(options['thread'])} in "${oneLine(base.name)}": a new one was begun.`,
      )
    if (threadId !== undefined && terminal.canRedraw) {
      const named = typeof options['kb'] === 'string' ? `--kb ${namedForShell(base)} ` : ''
      terminal.note(terminal.style.dim(`\nGo on: ${input.typed(`ask ${named}--thread ${threadId} "…"`)}`))
    }
    return EXIT.ok
  },
}
