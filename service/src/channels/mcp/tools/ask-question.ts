import type { CallToolResult } from '@modelcontextprotocol/server'
import { LIMITS } from '@citewell/contract/limits'
import { AskQuestionInput, AskQuestionResult } from '@citewell/contract/mcp-tools'
import { ANSWER_FAILURES } from '@citewell/contract/refusals'
import {
  collectAnswer,
  createQuestion,
  type Answering,
  type Question,
} from '../../../answers/answering/answering.ts'
import { markdownName, shownAddress } from '../../../kernel/markdown-name.ts'
import type { McpReader } from '../mcp-reader.ts'
import { toolError, toolResult } from '../tool-result.ts'
import { ASKS, defineTool, type ToolCall } from './tool.ts'

/** A question of a tool, limited to what its caller may read. */
export const questionOf = (query: string, { base, isStillAllowed, ...reader }: McpReader): Question =>
  createQuestion(base, {
    query,
    groupIds: base.groupIds,
    includeRestricted: reader.includeRestricted,
    asker: { surface: 'mcp', clientKeyId: reader.clientKeyId, userRef: reader.userRef },
    isStillAllowed: isStillAllowed && (() => isStillAllowed(base.id)),
  })

export function answerText({ answer, citations }: AskQuestionResult): string {
  if (citations.length === 0) return answer
  return `${answer}\n\nSources:\n${citations.map(({ index, title, url }) => `[${index}] ${markdownName(title)}: ${shownAddress(url)}`).join('\n')}`
}

/** The whole answer; or an error that tells the model why there is none. */
export async function askWhole(
  answering: Pick<Answering, 'answerQuestion'>,
  question: Question,
  call: Pick<ToolCall, 'signal' | 'progress'>,
): Promise<{ answered: AskQuestionResult } | { fault: CallToolResult }> {
  const { text, finished, failed } = await collectAnswer(
    answering.answerQuestion(question, call.signal),
    (pages) => call.progress(`${pages} pages found`),
  )
  if (finished === undefined) {
    call.signal.throwIfAborted()
    return { fault: toolError(ANSWER_FAILURES[failed?.code ?? 'internal'].reader) }
  }
  const { covered, confidence, cited } = finished
  const citations = cited.map(({ index, title, url, heading_path, excerpt }) => ({
    index,
    title,
    url,
    heading_path,
    excerpt,
  }))
  return { answered: { answer: text, covered, confidence, citations } }
}

export const createAskQuestion = ({ answering }: { answering: Pick<Answering, 'answerQuestion'> }) =>
  defineTool({
    names: () => ['ask_question'],
    title: 'Ask the documentation',
    description: ({ base }) =>
      `Answers one question from the knowledge base "${base.name}", with citations. If the documentation does not cover the question, the answer says so: then do not guess.`,
    input: AskQuestionInput,
    output: AskQuestionResult,
    annotations: ASKS,
    timeoutSeconds: LIMITS.mcp.timeoutSeconds.ask,
    countsAs: 'chat',
    isOffered: () => true,
    run: async ({ question }, call) => {
      const outcome = await askWhole(answering, questionOf(question, call.reader), call)
      if ('fault' in outcome) return outcome.fault
      return toolResult(answerText(outcome.answered), outcome.answered)
    },
  })
