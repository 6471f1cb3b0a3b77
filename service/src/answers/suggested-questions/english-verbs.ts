const words = (text: string) => text.trim().split(/\s+/)

/** Verbs that titles of documentation begin with. */
const VERBS = words(`
  accept access achieve activate adapt add adjust allocate allow analyse analyze answer apply approve ask assign attach authenticate authorize
  automate avoid back begin bind block bootstrap bring browse build bundle calculate call cancel capture change check
  choose classify clean clear clone close collect combine compare compile compress compute configure connect consume
  contribute control convert create customise customize deal debug decide declare decode decrypt define delete deliver deploy describe
  design detach detect determine develop diagnose disable discover dispatch display distribute divide document download
  edit embed emit enable encode encrypt enforce ensure establish evaluate examine exchange exclude execute expand expose
  export extend extract fetch filter finalize find fix follow generate get give grant handle hide identify implement import
  improve include increase initialize inject insert inspect install integrate introduce invite invoke isolate iterate
  join keep launch learn limit list load locate log maintain make manage manipulate mark measure merge migrate minimize
  mix model modify monitor mount move navigate obtain open operate optimize order organize override package parse pass
  perform plug prepare prevent preview print process profile program protect provide provision publish pull push query
  raise read rebase rebuild receive recover redirect reduce refactor refresh register reload remove rename render reorder
  replace replicate report represent reproduce request require reset resize resolve restart restore restrict retrieve return reuse rewrite
  revert review revoke roll rotate run save scale scan schedule search secure select send serve set setup share ship
  show shut sign simulate skip sort specify speed split start stop store stream subclass submit subscribe summarize
  switch synchronize tag target tell test track transfer transform translate trigger troubleshoot tune turn understand
  uninstall update upgrade upload use validate verify view visualize wait walk watch work wrap write`)

/** Those of the verbs that are nouns just as often at the start of a title ("test coverage", "query parameters"). */
const ALSO_NOUNS = new Set(
  words(`access answer approve ask back block build bundle call change check clone connect control deal design detect display
  document edit exchange export filter find fix follow grant handle import join launch limit list load log mark measure
  merge model monitor mount move open order override package pass plug prepare preview print process profile program provision
  publish pull push query raise read rebase refresh release report request require reset restart return reuse review roll
  run save scale scan schedule search secure select send serve set setup share ship show sign sort speed split start stop
  store stream switch tag target test track transfer trigger tune turn update upgrade upload use view wait walk watch
  work wrap write`),
)

/** Gerunds that are adjectives or nouns just as often ("testing interface", "building blocks", "training data"). */
const ALSO_ADJECTIVES = new Set(
  words(`binding blocking building bundling caching changing checking closing following hosting listing loading logging
  mapping matching modelling monitoring mounting moving opening operating ordering packaging parsing passing polling
  processing profiling programming publishing rendering running sampling scaling scanning scheduling searching sharing
  signing sorting starting storing streaming switching tagging testing timing tracking training triggering working`),
)

const DOUBLED = new Set(
  words(`begin control cut debug drop embed get log map mix plug program put rebuild reset roll run scan set ship shut split stop
  submit swap tag transfer wrap`).filter((verb) => !['rebuild', 'roll'].includes(verb)),
)

function gerundOf(verb: string): string {
  if (DOUBLED.has(verb)) return `${verb}${verb.slice(-1)}ing`
  if (verb.endsWith('e') && !/[eoy]e$/.test(verb)) return `${verb.slice(0, -1)}ing`
  return `${verb}ing`
}

function thirdPersonOf(verb: string): string {
  if (/(?:[sxz]|ch|sh)$/.test(verb)) return `${verb}es`
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`
  return `${verb}s`
}

const verbs = new Set(VERBS)
const verbOfGerund = new Map(VERBS.map((verb) => [gerundOf(verb), verb]))
const verbOfThirdPerson = new Map(VERBS.map((verb) => [thirdPersonOf(verb), verb]))

/** The first word of a title, as a verb. */
export interface LeadingVerb {
  /** As in "How do I …". */
  verb: string
  /** It may also belong to a following noun, so that the next word must decide. */
  isAmbiguous: boolean
}

/** @example imperative('Rotate') // { verb: 'rotate', isAmbiguous: false } */
export function imperative(word: string): LeadingVerb | undefined {
  const verb = word.toLowerCase()
  return verbs.has(verb) ? { verb, isAmbiguous: ALSO_NOUNS.has(verb) } : undefined
}

/** @example gerund('Rotating') // { verb: 'rotate', isAmbiguous: false } */
export function gerund(word: string): LeadingVerb | undefined {
  const form = word.toLowerCase()
  const verb = verbOfGerund.get(form)
  return verb === undefined ? undefined : { verb, isAmbiguous: ALSO_ADJECTIVES.has(form) }
}

/** @example thirdPerson('stores') // 'store' */
export function thirdPerson(word: string): string | undefined {
  return verbOfThirdPerson.get(word.toLowerCase())
}
