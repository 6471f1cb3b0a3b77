import { fakeLlm, type FakeBehaviour } from '../fake-llm.ts'
import { eventually } from './bot-world.ts'

const BEGINNING = 'Signing `<!channel>` keys are '

/** A model that goes on when something has happened, and says something ten times a second until then. */
export const answersWhen =
  (happened: () => boolean, { beginning = BEGINNING, meanwhile = ' ' } = {}): FakeBehaviour =>
  async ({ request, response }) => {
    const slowly = fakeLlm.stallsAfter(beginning)
    await slowly({ request, response })
    const chunk = (delta: object, reason: string | null) =>
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'fake', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`
    const writing = setInterval(() => response.write(chunk({ content: meanwhile }, null)), 100)
    await eventually(happened, (has) => has).finally(() => clearInterval(writing))
    response.write(chunk({ content: 'rotated once a day. [1]' }, null))
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
  }
