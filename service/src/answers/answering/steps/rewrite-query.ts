import type { LanguageModel } from '../../../platform/llm/language-model.ts'
import { contentWordsOf } from '../../citations/citations.ts'
import { rewriteMessages } from '../model-prompts.ts'
import type { Coverage } from '../coverage-gate.ts'
import type { EarlierTurn, Question } from '../question.ts'
import type { AskContext } from './prepare-question.ts'
import { hasOwnVerb, withoutVerbs } from './verbs-of-questions.ts'

/** Timeout of the model in milliseconds. After it, the words of the conversation are used instead. */
const MODEL_TIMEOUT_MS = 4_000
const MODEL_TOKENS = 120
const MAX_QUERY_LENGTH = 400

const WORDS = /[\p{L}\p{N}_][\p{L}\p{N}_.'-]*/gu

/** Words that refer to something said before. "It" in "is it possible to" and the like refers to nothing. */
const BACK_REFERENCE =
  /\b(?:it|its|they|them|their|theirs|that|those|these|this|he|she|him|her|former|latter|there|then)\b/i
/** Words that may do so: "another person" is nobody who was spoken of. */
const POSSIBLE_REFERENCE = /\b(?:same|previous|above|one|ones|either|both|other|others|another)\b/i
const EXPLETIVE_IT =
  /\b(?:is it (?:possible|ok|okay|necessary|required|safe|better|good|allowed)|does it (?:make sense|matter)|is there|are there|there (?:is|are)|this (?:page|site|documentation)|the other way|one of|at the same time)\b/gi
/** Beginnings that continue what was said. */
const CONTINUATION =
  /^(?:and|or|but|so|also|then|what about|how about|what if|why not|how so|how come|else|more|ok|okay|yes|no|thanks|anything else|any other|what else|tell me more|for example|e\.g)\b/i
/** Beginnings that may do so. */
const POSSIBLE_CONTINUATION = /^(?:why|which|where|when|anything|can you|could you|please|explain)\b/i
/** Words that ask for more of the same: they name no subject. "Source", "link" and "step" are subjects of some pages. */
const ASKS_FOR_MORE =
  /^(?:explain|elaborate|clarify|describe|example|detail|more|mean|meaning|information|info|reason|tell|say|show|give|sure|really|work|help)(?:s|ed|ing)?$/i
/** A question with fewer content words may not be standalone. */
const MIN_STANDALONE_WORDS = 3

/**
 * Whether a question cannot be understood without the previous ones: `certainly` if its words say so; `possibly` if it is short, or has
 * words that refer to something beside a subject of its own, as "How do I make a backup?" and "Is there a page that lists the options?".
 */
export function followsUp(query: string): 'certainly' | 'possibly' | 'no' {
  const words = query.match(WORDS) ?? []
  const own = new Set(contentWordsOf(words.filter((word) => !ASKS_FOR_MORE.test(word)).join(' '))).size
  const start = query.trim()
  const refers = BACK_REFERENCE.test(query.replaceAll(EXPLETIVE_IT, ' '))
  if (own === 0) return 'certainly'
  if (refers && own < MIN_STANDALONE_WORDS) return 'certainly'
  if (CONTINUATION.test(start) && own < 2 * MIN_STANDALONE_WORDS) return 'certainly'
  const mayContinue = POSSIBLE_CONTINUATION.test(start) && own < 2 * MIN_STANDALONE_WORDS
  const mayRefer = refers || POSSIBLE_REFERENCE.test(query)
  return mayRefer || mayContinue || own < MIN_STANDALONE_WORDS ? 'possibly' : 'no'
}

/** So many content words of the questions name a subject. */
const SUBJECT_WORDS = 2

const newWords = (words: readonly string[], known: string) => {
  const stems = new Set(contentWordsOf(known))
  return words.filter((word) => {
    const [stem] = contentWordsOf(word)
    if (stem === undefined || stems.has(stem)) return false
    stems.add(stem)
    return true
  })
}

/** The turns from the last question that can be understood by itself. */
function turnsOfSubject(earlier: readonly EarlierTurn[]): readonly EarlierTurn[] {
  const start = earlier.findLastIndex(({ query }) => followsUp(query) !== 'certainly')
  return earlier.slice(Math.max(0, start))
}

/**
 * Appends the subject: the words of the last question that can be understood by itself, without its verb if another one came since, and of
 * the last question.
 */
function addSubject(query: string, earlier: readonly EarlierTurn[]): string {
  const [standalone, ...since] = turnsOfSubject(earlier)
  const last = earlier.at(-1)
  if (standalone === undefined || last === undefined) return query
  const withoutVerb = (asked: string, ...later: readonly string[]) =>
    later.some(hasOwnVerb) ? withoutVerbs(asked) : asked
  const subject = [
    withoutVerb(standalone.query, ...since.map((turn) => turn.query), query),
    last === standalone ? '' : withoutVerb(last.query, query),
  ].join(' ')
  const asked = newWords(subject.match(WORDS) ?? [], query)
  // The titles of what was cited name the subject where the questions hardly do. Elsewhere they lead to the same pages again.
  const titles = asked.length < SUBJECT_WORDS ? last.citedTitles.slice(0, 2) : []
  const words = [...asked, ...newWords(titles.join(' ').match(WORDS) ?? [], `${query} ${asked.join(' ')}`)]
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
 * The search query: a follow-up is completed from its conversation, by the model if there is one and it is fast enough, otherwise by the
 * words of the previous questions. A standalone question is not changed.
 *
 * @param alone how likely the pages answer the question as it is; asked only where its words leave it open, since it takes a search
 */
export async function rewriteQuery(
  { query }: Question,
  earlier: readonly EarlierTurn[],
  { model, alone }: Pick<AskContext, 'model'> & { alone: () => Promise<Pick<Coverage, 'isCovered'>> },
  signal: AbortSignal,
): Promise<string> {
  const follows = earlier.length === 0 ? 'no' : followsUp(query)
  if (follows === 'no') return query
  const byWords = async () =>
    follows === 'possibly' && (await alone()).isCovered ? query : addSubject(query, earlier)
  if (model === undefined) return await byWords()
  let rewritten: string | undefined
  try {
    rewritten = await askModel(model, query, earlier, signal)
  } catch {
    // Ignored: a persistent failure of the model is reported when it is asked to write the answer.
    signal.throwIfAborted()
  }
  return rewritten ?? (await byWords())
}
