import { imperative } from './english-verbs.ts'
import type { QuestionDraft } from './question-draft.ts'
import type { Recase } from './recase.ts'

const PREPOSITION =
  /\s(?:in|of|for|on|with|from|to|between|by|through|at|as|under|over|into|without|per|during|across|against|within)\s/i

/** A subject that contains a clause is more than a name. */
const CLAUSE = /\s(?:using|via|when|if|that|which|is|are|it|you|your|we|be|not|passed|required)(?:\s|$)/i

/** Leading words that relate a subject to another page. */
const RELATIVE =
  /^(?:additional|advanced|all|available|basic|common|different|example|further|important|key|more|new|no|not|other|related|sample|several|simple|some|supported|the best|various)\s/i

/** Heads without meaning of their own, or for which a question sounds odd. */
const VAGUE =
  /^(?:approach|background|basics|cases|changes|comparisons?|concepts|considerations|contents|details|docs|examples|guides?|ideas|internals|introduction|issues|items|layout|materials|metadata|modules|motivation|notation|notes|objects?|options|overview|packages|philosophy|problems|questions|rationale|reference|resources|results|routines|services|setup|sources|specification|steps|structures?|style|summary|support|terminology|things|thoughts|tips|topics|tricks|utilities|versions|whitepapers)$/i

/** Things that a page lists. */
const LISTED =
  /^(?:options|settings|parameters|variables|flags|types|commands|methods|formats|modes|strategies|operators|arguments|properties|attributes|events|hooks|functions|codes|keywords|patterns|integrations|providers|directives|metrics|permissions|roles|fields|status codes)$/i

/** Things that take the article "the". */
const DEFINITE =
  /^(?:considerations|limitations|requirements|differences|restrictions|prerequisites|quotas|limits|guidelines|recommendations|benefits|advantages|practices|principles|goals|rules|features|fundamentals|defaults|conventions|decisions)$/i

/** Activities and processes, without an article: "How does form validation work?" */
const PROCESS =
  /(?:ication|ization|isation|ation|ption|lation|ration|ection|ission|ersion|lution|ization|ing|inheritance|concurrency|replication|persistence|coverage|storage|recovery|discovery|delivery|security|compatibility|governance|compliance)$/i

/** Words with those endings that are countable things, or ordinary words. */
const COUNTED =
  /^(?:application|publication|station|location|notation|relation|operation|expectation|configuration file|section|connection|collection|projection|exception|option|version|expression|extension|permission|session|dimension|thing|string|setting|building|meaning|warning|heading|beginning|reading|writing)$/i

/** Parts of a system that work in some way: "How does the request context work?" */
const MECHANISM =
  /^(?:algorithm|allocator|architecture|backend|buffer|builder|cache|client|collector|command|compiler|connection|console|context|controller|daemon|dashboard|database|debugger|dispatcher|driver|editor|engine|executor|format|framework|gateway|generator|handler|integration|interface|interpreter|iterator|lifecycle|life cycle|loader|lock|log|loop|manager|mechanism|middleware|mode|model|module|monitor|operator|optimizer|parser|pipeline|plugin|pool|process|processor|profiler|program|protocol|provider|proxy|queue|registry|resolver|router|sandbox|scanner|scheduler|server|service|session|shell|stack|stream|system|tokenizer|tool|tracer|workflow|worker)$/i

const isPlural = (word: string) =>
  /\p{Ll}{2}[^sui]?s$/u.test(word) &&
  !/[sui]s$/i.test(word) &&
  !/(?:ics|news|ness|class|access|process|status|https|aws|kubernetes|postgres|jenkins|kerberos|dns|tls|css|js|lens|whitepapers)$/i.test(
    word,
  )

/** `ray.tune.randint`, `CreateIndex`, `mod_wsgi`, `git-add`. */
const isIdentifier = (word: string) =>
  /^[\w.-]+$/.test(word) &&
  (/[a-z\d][._][a-z\d]/i.test(word) || /[a-z][A-Z]/.test(word) || /^[a-z]+(?:-[a-z]+)+$/.test(word))

const isAllCapitals = (text: string) => /^[A-Z][A-Z\d ]+$/.test(text)

const draft = (text: string, quality: number): QuestionDraft => ({ text, quality })

/** A question about the thing that a page is named after; `undefined` if none sounds natural. */
export function nounQuestion(subject: string, recase: Recase): QuestionDraft | undefined {
  const words = subject.split(' ')
  if (words.length > 7 || CLAUSE.test(subject) || RELATIVE.test(subject)) return undefined
  // "Streaming contents" is ambiguous: to stream them, or contents that stream?
  if (words.length > 1 && /(?:ing|ly)$/i.test(words[0] ?? '')) return undefined
  if (words.length === 1) return oneWordQuestion(subject, recase)
  if (isAllCapitals(subject) && !/ (?:API|SDK|CLI)$/.test(subject))
    return draft(`What does ${subject} do?`, 0.5)
  return phraseQuestion(subject, recase)
}

function oneWordQuestion(word: string, recase: Recase): QuestionDraft | undefined {
  if (VAGUE.test(word)) return undefined
  if (isAllCapitals(word)) return draft(`What is ${word}?`, 0.45)
  if (recase.isName(word)) return isPlural(word) ? undefined : draft(`How do I use ${word}?`, 0.45)
  if (isIdentifier(word)) return draft(`What does ${word} do?`, 0.3)
  const small = recase.phrase(word)
  if (/\p{Lu}/u.test(small)) return undefined
  if (isPlural(small)) return draft(`What are ${small}?`, 0.55)
  return PROCESS.test(small) && !COUNTED.test(small) ? draft(`How does ${small} work?`, 0.55) : undefined
}

/** A phrase in its parts: "the | request context | of a view" has the head "context". */
interface Phrase {
  article: string
  core: string
  head: string
  rest: string
  /** The phrase without its article. */
  bare: string
  words: string[]
}

function phraseOf(subject: string): Phrase {
  const article = /^(?:the|an?)\s+/i.exec(subject)?.[0] ?? ''
  const bare = subject.slice(article.length)
  const at = PREPOSITION.exec(bare)?.index ?? bare.length
  const core = bare.slice(0, at)
  const words = core.split(' ')
  return { article, core, head: words.at(-1) ?? core, rest: bare.slice(at), bare, words }
}

function phraseQuestion(subject: string, recase: Recase): QuestionDraft | undefined {
  const phrase = phraseOf(recase.phrase(subject))
  // An article in the middle: "checkpoint a database" begins with an unknown verb.
  if (/\s(?:an?|the)\s/i.test(phrase.core)) return undefined
  const isJoined = /\b(?:and|or)\b|[,&/]/i.test(phrase.core)
  return (isJoined ? undefined : kindQuestion(phrase)) ?? thingQuestion(phrase, isJoined, recase)
}

/** Heads that name the kind of page. */
function kindQuestion({ core, head, rest, bare, words }: Phrase): QuestionDraft | undefined {
  // "Pass arguments to applications" is an action, not a kind of arguments.
  if (rest !== '' && imperative(words[0] ?? '') !== undefined) return undefined
  if (/^(?:API|SDK|CLI)$/i.test(head) && words.length > 1) return draft(`How do I use the ${bare}?`, 0.55)
  if (LISTED.test(head) && words.length > 1) return draft(`Which ${core} are there${rest}?`, 0.55)
  if (DEFINITE.test(head) && !/^best practices$/i.test(bare)) return draft(`What are the ${bare}?`, 0.55)
  return undefined
}

function thingQuestion(phrase: Phrase, isJoined: boolean, recase: Recase): QuestionDraft | undefined {
  const { article, head, rest, bare, words } = phrase
  if (VAGUE.test(head) || isIdentifier(head)) return undefined
  if (isPlural(head)) {
    // "Schedule monitoring jobs" is ambiguous: to schedule them, or jobs of a schedule?
    if (imperative(words[0] ?? '') !== undefined) return undefined
    const isParticular = article !== '' || /^ (?:in|of|for)\b/i.test(rest)
    return draft(`What are ${isParticular ? 'the ' : ''}${bare}?`, 0.5)
  }
  if (isJoined) return undefined
  if (article === '' && words.every((word) => recase.isName(word)))
    return draft(`How do I use ${bare}?`, 0.45)
  if (/\p{Lu}/u.test(head)) return undefined
  if (MECHANISM.test(head)) return draft(`How does the ${bare} work?`, 0.4)
  if (!PROCESS.test(head) || COUNTED.test(head)) return undefined
  return draft(`How does ${article === '' ? '' : 'the '}${bare} work?`, 0.55)
}
