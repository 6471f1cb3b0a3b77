import { chooseBase } from './choose-base.ts'
import { CommandFailure, EXIT, type Command } from './command.ts'
import { printAnswer } from './print-answer.ts'
import { connectService } from './service-client.ts'

export const askCommand: Command = {
  usage: '"QUESTION" [--kb NAME] [--thread ID]',
  summary: 'Ask a question; the answer is streamed, with its numbered sources under it.',
  options: {
    kb: { type: 'string', about: 'knowledge base, by name or id (not needed when there is one)' },
    thread: { type: 'string', about: 'go on with an earlier conversation' },
  },
  run: async (input) => {
    const query = input.words.join(' ').trim()
    if (query === '') {
      throw new CommandFailure(EXIT.usage, 'What is the question?', { hint: 'citewell ask "How do I …?"' })
    }
    const client = await connectService(input)
    try {
      const base = await chooseBase(client, input.options['kb'])
      const response = await client.request('POST', `/api/v1/knowledge-bases/${base.id}/chat`, {
        query,
        ...(typeof input.options['thread'] === 'string' && { thread_id: input.options['thread'] }),
      })
      const { threadId } = await printAnswer(input.terminal, response)
      if (threadId !== undefined && input.terminal.canRedraw) {
        input.terminal.note(input.terminal.style.dim(`\nGo on: citewell ask --thread ${threadId} "…"`))
      }
      return EXIT.ok
    } finally {
      await client.close()
    }
  },
}
