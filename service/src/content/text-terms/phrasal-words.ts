/** Forms of verbs that make a noun with a particle: "set up" is what "setup" names. */
const FORMS: readonly (readonly [verb: string, forms: string, particles: string])[] = [
  ['set', 'set sets setting', 'up'],
  ['log', 'log logs logged logging', 'in out off'],
  ['sign', 'sign signs signed signing', 'in on up out'],
  ['back', 'back backs backed backing', 'up'],
  ['start', 'start starts started starting', 'up'],
  ['shut', 'shut shuts shutting', 'down'],
  ['clean', 'clean cleans cleaned cleaning', 'up'],
  ['look', 'look looks looked looking', 'up'],
  ['roll', 'roll rolls rolled rolling', 'back out'],
  ['fail', 'fail fails failed failing', 'over'],
  ['check', 'check checks checked checking', 'out'],
  ['opt', 'opt opts opted opting', 'in out'],
  ['time', 'time times timed timing', 'out'],
]

const JOINED = new Map(
  FORMS.flatMap(([verb, forms, particles]) =>
    forms
      .split(' ')
      .flatMap((form) =>
        particles.split(' ').map((particle) => [`${form} ${particle}`, `${verb}${particle}`] as const),
      ),
  ),
)

const eachOnce = (words: readonly string[]) =>
  [...new Set(words.flatMap((some) => some.split(' ')))].join('|')

/** One of these verbs, and a particle. Any word before a particle would also take "and back" from "and back up". */
const PAIR = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(${eachOnce(FORMS.map(([, forms]) => forms))})[ -](${eachOnce(FORMS.map(([, , particles]) => particles))})(?![\p{L}\p{N}])`,
  'giu',
)

/** Before a noun: in "the log in this folder" nobody logs in. */
const BEFORE_NOUN = /(?<![\p{L}\p{N}])(?:the|a|an|this|that|each|every|your|its|any|no|of)\s$/iu

/** Characters that are read before it: one more than the longest of these words with its space. */
const BEFORE = 7

/** A text in which "set up", "logging in" and "back-up" are written as "setup", "login" and "backup". */
export const joinPhrasalWords = (text: string): string =>
  text.replace(PAIR, (pair: string, form: string, particle: string, at: number) => {
    const joined = JOINED.get(`${form.toLowerCase()} ${particle.toLowerCase()}`)
    const isNoun = pair.includes(' ') && BEFORE_NOUN.test(text.slice(Math.max(0, at - BEFORE), at))
    return joined === undefined || isNoun ? pair : joined
  })
