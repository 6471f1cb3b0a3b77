import type { LanguageModel } from '../../../platform/llm/language-model.ts'
import { contentWordsOf } from '../../citations/citations.ts'
import { rewriteMessages } from '../model-prompts.ts'
import type { EarlierTurn, Question } from '../question.ts'
import type { AskContext } from './prepare-question.ts'

/** Timeout of the model in milliseconds. After it, the words of the conversation are used instead. */
const MODEL_TIMEOUT_MS = 4_000
const MODEL_TOKENS = 120
const MAX_QUERY_LENGTH = 400

/** Words that refer to something said before. "It" in "is it possible to" and the like refers to nothing. */
const BACK_REFERENCE =
  /\b(?:it|its|they|them|their|theirs|that|those|these|this|he|she|him|her|former|latter|same|previous|above|one|ones|either|both|other|others|another|there|then)\b/i
const EXPLETIVE_IT =
  /\b(?:is it (?:possible|ok|okay|necessary|required|safe|better|good|allowed)|does it (?:make sense|matter)|is there|are there|there (?:is|are)|this (?:page|site|documentation)|the other way|one of|at the same time)\b/gi
/** Beginnings that continue what was said. */
const CONTINUATION =
  /^(?:and|or|but|so|also|then|what about|how about|what if|why|why not|how so|how come|which|where|when|else|more|ok|okay|yes|no|thanks|anything|any other|what else|can you|could you|please|tell me more|explain|for example|e\.g)\b/i
/** A question with fewer content words is rarely standalone. */
const MIN_STANDALONE_WORDS = 3

/** Whether a question cannot be understood without the previous ones. */
export function isFollowUp(query: string): boolean {
  const own = new Set(contentWordsOf(query)).size
  if (BACK_REFERENCE.test(query.replaceAll(EXPLETIVE_IT, ' '))) return true
  return own < MIN_STANDALONE_WORDS || (CONTINUATION.test(query.trim()) && own < 2 * MIN_STANDALONE_WORDS)
}

const newWords = (words: readonly string[], known: string) => {
  const stems = new Set(contentWordsOf(known))
  return words.filter((word) => {
    const [stem] = contentWordsOf(word)
    if (stem === undefined || stems.has(stem)) return false
    stems.add(stem)
    return true
  })
}

/** Appends the subject from the words of the previous question, or of the one before if that was a follow-up too. */
function addSubject(query: string, earlier: readonly EarlierTurn[]): string {
  const last = earlier.at(-1)
  if (last === undefined) return query
  const before = isFollowUp(last.query) ? earlier.at(-2) : undefined
  const titles = last.citedTitles.slice(0, 2).join(' ')
  const subject = [before?.query ?? '', last.query, titles].join(' ')
  const words = newWords(subject.match(/[\p{L}\p{N}_][\p{L}\p{N}_.'-]*/gu) ?? [], query)
  return words.length === 0 ? query : `${query} ${words.join(' ')}`.slice(0, 2 * MAX_QUERY_LENGTH)
}

/** Accepts a model's rewrite only if it is one short line about the same conversation. */
function usable(rewritten: string, query: string, earlier: readonly EarlierTurn[]): string | undefined {
  const line = rewritten.trim().replace(/^["']|["']$/g, '')
  if (line === '' || line.length > MAX_QUERY_LENGTH || line.includes('\n')) return undefined
  const known = new Set(
    contentWordsOf([query, ...earlier.flatMap((turn) => [turn.query, turn.answer])].join(' ')),
  )
  const words = contentWordsOf(line)
  return words.filter((word) => known.has(word)).length >= words.length / 2 ? line : undefined
}

async function askModel(
  model: LanguageModel,
  query: string,
  earlier: readonly EarlierTurn[],
  signal: AbortSignal,
) {
  let said = ''
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(MODEL_TIMEOUT_MS)])
  const messages = rewriteMessages(query, earlier)
  for await (const text of model.write({ messages, maxOutputTokens: MODEL_TOKENS, signal: timeout })) {
    said += text
    if (said.length > 2 * MAX_QUERY_LENGTH) break
  }
  return usable(said, query, earlier)
}

/**
 * The search query: a follow-up is completed from its conversation, by the model if there is one and it is fast enough,
 * otherwise by the words of the previous questions. A standalone question is not changed.
 */
export async function rewriteQuery(
  { query }: Question,
  earlier: readonly EarlierTurn[],
  { model }: Pick<AskContext, 'model'>,
  signal: AbortSignal,
): Promise<string> {
  if (earlier.length === 0 || !isFollowUp(query)) return query
  if (model === undefined) return addSubject(query, earlier)
  try {
    return (await askModel(model, query, earlier, signal)) ?? addSubject(query, earlier)
  } catch {
    // Ignored: a persistent failure of the model is reported when it is asked to write the answer.
    signal.throwIfAborted()
    return addSubject(query, earlier)
  }
}
