import { isAskable, plainTitle, stripKind } from './clean-title.ts'
import { gerund, imperative, thirdPerson, type LeadingVerb } from './english-verbs.ts'
import { nounQuestion } from './noun-question.ts'
import type { QuestionDraft } from './question-draft.ts'
import { questionOfHeading } from './question-of-heading.ts'
import type { Recase } from './recase.ts'

/** The context in which a title is interpreted. */
export interface TitleContext {
  recase: Recase
  /** The product that the base documents, for titles such as "Installation" that do not name it. */
  product: string | undefined
}

const FIRST_STEPS = /^(?:getting started|get started|quick ?start(?: guide)?|first steps)$/i

/** Titles with an action but without its object: they are asked about the product. */
const ABOUT_PRODUCT: readonly [RegExp, (product: string) => string][] = [
  [
    /^(?:installation|installing|install|installation guide|how to install)$/i,
    (product) => `How do I install ${product}?`,
  ],
  [FIRST_STEPS, (product) => `How do I get started with ${product}?`],
  [/^(?:configuration|configuring|configure)$/i, (product) => `How do I configure ${product}?`],
  [/^(?:deployment|deploying|deploy|deployment options)$/i, (product) => `How do I deploy ${product}?`],
  [/^(?:upgrading|upgrade|upgrade guide)$/i, (product) => `How do I upgrade ${product}?`],
  [/^(?:troubleshooting)$/i, (product) => `How do I troubleshoot problems with ${product}?`],
  [/^(?:features|key features)$/i, (product) => `What are the features of ${product}?`],
  [/^(?:limitations|known limitations)$/i, (product) => `What are the limitations of ${product}?`],
  [/^(?:requirements|prerequisites|system requirements)$/i, (product) => `What does ${product} require?`],
  [/^(?:overview|introduction|about|welcome|home)$/i, (product) => `What is ${product}?`],
]

/** The remainder of a title such as "Troubleshooting guide": it only names the kind of page. */
const IS_KIND = /^(?:guide|tutorial|basics|overview|reference|how[- ]?to|faq|examples?)$/i

const CLUE_AFTER_VERB =
  /^(?:a|an|the|your|my|all|any|multiple|new|existing|custom|data|to|with|from|for|in|on|up|out|into|as|at|by|between|against|through|and|or|,)$/i

/**
 * Derives the question that a page answers from its title, without a model; `undefined` if no good one results.
 *
 * @example
 * questionOfTitle('Rotating signing keys', context)?.text // 'How do I rotate signing keys?'
 */
export function questionOfTitle(title: string, context: TitleContext): QuestionDraft | undefined {
  const plain = plainTitle(title)
  const about = productQuestion(plain, context.product)
  if (about !== undefined) return about
  if (plain.endsWith('?')) return questionOfHeading(plain, context.recase)
  if (!isAskable(plain)) return undefined
  return (
    explicitQuestion(plain, context) ??
    describedName(plain, context) ??
    actionQuestion(plain, context) ??
    subjectQuestion(plain, context)
  )
}

function productQuestion(plain: string, product: string | undefined): QuestionDraft | undefined {
  // "How do I get started?" is clear without the product; "How do I install?" is not.
  if (product === undefined)
    return FIRST_STEPS.test(plain) ? { text: 'How do I get started?', quality: 0.7 } : undefined
  const found = ABOUT_PRODUCT.find(([pattern]) => pattern.test(plain))
  return found && { text: found[1](product), quality: 0.9 }
}

/** Titles that announce an explanation. */
function explicitQuestion(plain: string, { recase }: TitleContext): QuestionDraft | undefined {
  const howTo = /^how(?: do i| can i)? to:?\s+(?!be\b|do\b|have\b|not\b)(\S+)(\s.+)$/i.exec(plain)
  if (howTo?.[1] !== undefined)
    return {
      text: `How do I ${howTo[1].toLowerCase()}${inFirstPerson(recase.phrase(howTo[2] ?? ''))}?`,
      quality: 0.95,
    }
  const why = /^why (?:use )?(\S+(?: \S+)?)$/i.exec(plain)
  if (why?.[1] !== undefined) return { text: `Why should I use ${recase.phrase(why[1])}?`, quality: 0.85 }
  const versus =
    // bounded: at most 160 characters, as is every title that is askable
    /^(?:differences? between )?(.+?)(?: vs\.? | versus | and (?=.+$)(?<=^differences? between .+))(.+)$/i.exec(
      plain,
    )
  if (versus?.[1] !== undefined)
    return {
      text: `What is the difference between ${recase.phrase(versus[1])} and ${recase.phrase(versus[2] ?? '')}?`,
      quality: 0.9,
    }
  return howItWorks(plain, recase)
}

/** "How SQLite stores numbers". */
function howItWorks(plain: string, recase: Recase): QuestionDraft | undefined {
  const words = plain.split(' ')
  if (words[0]?.toLowerCase() !== 'how' || words.length < 3) return undefined
  for (const [index, word] of words.entries()) {
    if (index < 2) continue
    const singular = thirdPerson(word)
    const verb = singular ?? imperative(word)?.verb
    if (verb === undefined) continue
    const subject = recase.phrase(words.slice(1, index).join(' '))
    const object = plainVerbs(words.slice(index + 1))
      .map((word) => ` ${word}`)
      .join('')
    return {
      text: `How ${singular === undefined ? 'do' : 'does'} ${subject} ${verb}${recase.phrase(object)}?`,
      quality: 0.9,
    }
  }
  return undefined
}

/** "… receives and delivers mail": both verbs are put into their plain form. */
function plainVerbs(words: readonly string[]): string[] {
  return words.map((word, index) => (words[index - 1] === 'and' ? thirdPerson(word) : undefined) ?? word)
}

/** "json — JSON encoder and decoder", "tomllib: parse TOML files". */
function describedName(plain: string, context: TitleContext): QuestionDraft | undefined {
  const [, name, description] = /^([a-z][\w.-]*)(?:\s[–—-]\s|:\s)(.+)$/.exec(plain) ?? []
  if (name === undefined || description === undefined) return undefined
  const action = actionQuestion(description, context)
  return action ?? { text: `How do I use ${name}?`, quality: 0.5 }
}

/** "Rotate signing keys", "Rotating signing keys", "Building and installing Acme", "Lazily loading views". */
function actionQuestion(plain: string, { recase }: TitleContext): QuestionDraft | undefined {
  // "DROP TABLE" is the name of a statement.
  if (plain === plain.toUpperCase()) return undefined
  // bounded: at most 160 characters
  const title = plain.replace(/\s*(?::|\s[–—-])\s.*$/, '')
  const [, adverb = '', rest = title] = /^(\p{L}{3,}ly )(.+)$/u.exec(title) ?? []
  const words = rest.split(' ')
  const isGerund = gerund(words[0] ?? '') !== undefined
  const verbs = leadingVerbs(words, isGerund ? gerund : imperative)
  const object = words.slice(verbs.words.length)
  const next = object[0]
  // "Building, testing and shipping apps" with an unknown verb: half a question is worse than none.
  if (verbs.words.length === 0 || next === undefined || /^(?:and|or)$/i.test(next)) return undefined
  // "Creating tables and Uploading data": two titles in one.
  if (/\band \p{L}+ing\b/u.test(object.join(' '))) return undefined
  // "Troubleshooting guide"
  if (IS_KIND.test(object.join(' '))) return undefined
  // "Testing Acme" means to test it; "merge API" is an API.
  const isClear = CLUE_AFTER_VERB.test(next) || (isGerund && recase.isName(next))
  if (verbs.isAmbiguous && !isClear) return undefined
  return {
    text: `How do I ${adverb.toLowerCase()}${verbs.words.join(' ')} ${inFirstPerson(recase.phrase(object.join(' ')))}?`,
    quality: isGerund ? 0.9 : 0.85,
  }
}

/** Rewrites "your" of a title as "my", from the reader's point of view. */
const inFirstPerson = (phrase: string) => phrase.replaceAll(/\byour\b/gi, 'my').replaceAll(/\byou\b/gi, 'I')

/** The verbs at the start of a title in their plain form, with their conjunctions: `['build', 'and', 'install']`. */
function leadingVerbs(
  words: readonly string[],
  form: (word: string) => LeadingVerb | undefined,
): { words: string[]; isAmbiguous: boolean } {
  const verbOf = (word: string | undefined) => form((word ?? '').replace(/,$/, ''))
  const found: string[] = []
  for (const [index, word] of words.entries()) {
    const verb = verbOf(word)
    const isJoint = /^(?:and|or)$/i.test(word)
    const followsJoint = index === 0 || /,$|^(?:and|or)$/i.test(words[index - 1] ?? '')
    if (verb !== undefined && followsJoint) found.push(`${verb.verb}${word.endsWith(',') ? ',' : ''}`)
    else if (isJoint && index > 0 && verbOf(words[index + 1]) !== undefined) found.push(word.toLowerCase())
    else break
  }
  return { words: found, isAmbiguous: found.length === 1 && verbOf(words[0])?.isAmbiguous === true }
}

/** Such a title is a clause ("How Acme grew"), not the name of a thing. */
const CLAUSE_WORD = /^(?:how|why|what|when|where|which|who|whether)\s(?!is\s)/i

/** A title that names a thing. */
function subjectQuestion(plain: string, { recase }: TitleContext): QuestionDraft | undefined {
  if (CLAUSE_WORD.test(plain)) return undefined
  const named =
    // bounded: at most 160 characters
    /^(?:introduction to|intro to|overview of|about|understanding|an introduction to|welcome to|what is)\s+(.+)$/i.exec(
      plain,
    )
  // bounded: at most 160 characters
  const subject = stripKind(named?.[1] ?? plain).replace(/\s*(?::|\s[–—-])\s.*$/, '')
  if (!isAskable(subject)) return undefined
  return nounQuestion(subject, recase)
}
