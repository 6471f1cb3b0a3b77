import { LIMITS } from '@citewell/contract/limits'
import { AskPortalInput, AskPortalResult } from '@citewell/contract/mcp-portal-tools'
import type { Answering } from '../../../answers/answering/answering.ts'
import type { Search } from '../../../content/search/search.ts'
import { markdownName } from '../../../kernel/markdown-name.ts'
import { bestBase, narrowBases, type AcrossBasesDb } from '../../across-bases/across-bases.ts'
import { toolError, toolResult } from '../tool-result.ts'
import { answerText, askWhole, questionOf } from './ask-question.ts'
import { ASKS, definePortalTool, LISTING_TOOLS } from './tool.ts'

export interface PortalAskQuestionDeps {
  db: AcrossBasesDb
  search: Pick<Search, 'findPages'>
  answering: Pick<Answering, 'answerQuestion'>
}

export function createPortalAskQuestion({ db, search, answering }: PortalAskQuestionDeps) {
  return definePortalTool({
    names: () => ['ask_question'],
    title: 'Ask the documentation',
    description: () =>
      'Answers one question, with citations, from the knowledge base with the best evidence, among all that the user lets you read or those that you name. The answer says which one it is from. If it does not cover the question, the answer says so: then do not guess.',
    input: AskPortalInput,
    output: AskPortalResult,
    annotations: ASKS,
    timeoutSeconds: LIMITS.mcp.timeoutSeconds.ask,
    countsAs: 'chat',
    isOffered: () => true,
    run: async ({ question, ...narrowing }, call) => {
      const bases = await narrowBases(db, call.reader.bases, narrowing, LISTING_TOOLS)
      const chosen = await bestBase(search, bases, { query: question, signal: call.signal })
      if (chosen === undefined)
        return toolError('No source matches all of the lists that you gave. Leave one of them out.')
      const { base, groupIds, sourceIds } = chosen
      call.progress(`Asking ${base.name}`)
      const asked = questionOf(question, { ...call.reader, base, serverId: undefined })
      const outcome = await askWhole(answering, { ...asked, groupIds, sourceIds }, call)
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
