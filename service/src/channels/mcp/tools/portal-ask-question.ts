import { LIMITS } from '@citewell/contract/limits'
import { AskPortalInput, AskPortalResult } from '@citewell/contract/mcp-portal-tools'
import type { Answering } from '../../../answers/answering/answering.ts'
import type { Search } from '../../../content/search/search.ts'
import { markdownName } from '../../../kernel/markdown-name.ts'
import { narrowPortal, type NarrowedBase } from '../narrow-portal.ts'
import type { PortalDb } from '../portal-store.ts'
import { bestBase, searchBases } from '../search-bases.ts'
import { toolFault, toolResult } from '../tool-result.ts'
import { answerText, collectAnswer, questionOf } from './ask-question.ts'
import { ASKS, definePortalTool } from './tool.ts'

export interface PortalAskQuestionDeps {
  db: PortalDb
  search: Pick<Search, 'findPages'>
  answering: Pick<Answering, 'answerQuestion'>
}

/** Pages of each base that are looked at to choose the one that answers. */
const PAGES_COMPARED = 8

export function createPortalAskQuestion({ db, search, answering }: PortalAskQuestionDeps) {
  /** The base whose pages most likely answer. Each base has its own voice, allowance, masking and history: one of them answers. */
  async function baseToAsk(
    bases: readonly NarrowedBase[],
    query: string,
    signal: AbortSignal,
  ): Promise<NarrowedBase | undefined> {
    if (bases.length < 2) return bases[0]
    const asked = { query: query.slice(0, LIMITS.searchQuery), limit: PAGES_COMPARED, signal }
    return bestBase(await searchBases(search, bases, asked))
  }

  return definePortalTool({
    names: () => ['ask_question'],
    title: 'Ask the documentation',
    description: () =>
      'Answers one question, with citations, from the one knowledge base that knows most about it, among all that the person lets you read or those that you name. Says which one answered, and says so when it does not cover the question: then do not guess.',
    input: AskPortalInput,
    output: AskPortalResult,
    annotations: ASKS,
    timeoutSeconds: LIMITS.mcp.timeoutSeconds.ask,
    countsAs: 'chat',
    isOffered: () => true,
    run: async ({ question, ...narrowing }, call) => {
      const chosen = await baseToAsk(await narrowPortal(db, call.reader, narrowing), question, call.signal)
      if (chosen === undefined) {
        return toolFault('Nothing is in all of the lists that you gave. Leave one of them out.')
      }
      const { base, groupIds, sourceIds } = chosen
      call.progress(`Asking ${base.name}`)
      const asked = questionOf(question, { ...call.reader, base })
      const outcome = await collectAnswer(answering, { ...asked, groupIds, sourceIds }, call)
      if ('fault' in outcome) return outcome.fault
      const result: AskPortalResult = {
        ...outcome.answered,
        knowledge_base: { id: base.id, name: base.name },
      }
      return toolResult(
        `${answerText(result)}\n\nFrom the knowledge base "${markdownName(base.name)}".`,
        result,
      )
    },
  })
}
