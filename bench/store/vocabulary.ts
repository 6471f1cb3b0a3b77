/** Words of documentation, most frequent first within each kind: pages are generated from them by Zipf's law. */

const list = (text: string): readonly string[] => text.trim().split(/\s+/)

export const VERBS = list(`
  configure create delete update install enable disable rotate export import deploy restore monitor schedule verify
  connect authenticate cache compress encrypt filter inspect limit list migrate mount move open pause publish read
  rename replace reset resize resume retry revoke route run sample save scale search share sort split start stop
  store stream subscribe sync tag test trace transfer trim tune upgrade upload validate version watch write archive
  attach audit batch build clone commit debug decode detach discover drain duplicate evict expire fetch flush grant
  invite isolate lock log map merge mirror notify parse partition patch pin poll preview promote provision prune pull
  push query queue rebuild record redirect refresh register release reload remove render report reserve roll`)

export const NOUNS = list(`
  key request workspace token cluster webhook database endpoint invoice backup container queue schedule policy user
  team role permission session certificate domain address region volume snapshot replica index table column field
  schema migration transaction connection pool timeout retry limit quota budget alert metric dashboard log trace span
  event stream topic partition consumer producer message payload header body cookie cache proxy gateway balancer
  listener route rule filter pipeline stage job task worker runner agent node pod image registry artifact package
  module plugin extension library client server socket channel buffer frame batch chunk file folder archive bucket
  object blob document record row entry list map set graph tree cursor page template theme layout widget button form
  dialog menu tab panel chart report export import feed hook trigger action workflow step condition variable secret
  credential password identity provider tenant organization project environment branch commit release version tag
  build test suite coverage fixture mock stub profile benchmark latency throughput bandwidth memory disk processor
  thread process signal exit error warning exception stack fault incident outage recovery failover standby leader
  follower quorum election lease lock mutex semaphore barrier clock timer interval calendar timezone locale language
  translation currency price plan subscription payment refund receipt tax discount coupon trial renewal`)

export const ADJECTIVES = list(`
  default maximum minimum automatic manual secure private public shared local remote global regional temporary
  permanent incremental full partial nightly weekly monthly hourly idle active stale fresh invalid expired pending
  failed successful concurrent parallel sequential distributed replicated encrypted signed compressed cached scheduled
  nested recursive optional required custom legacy experimental internal external primary secondary read-only
  versioned immutable ephemeral persistent dynamic static virtual physical managed hosted isolated restricted`)

/** Sentence templates; each mark is replaced by a word of its kind: verb, noun, adjective, identifier, number. */
export const SENTENCES: readonly string[] = [
  'To V the A N, open the N settings and choose the A N.',
  'The N is A unless I is set.',
  'When a N is A, the N will V it after # seconds.',
  'You can V up to # A Ns for each N.',
  'If the N does not V, look at the N log for I.',
  'Set I to # to V every N in the N.',
  'A A N never leaves its N, even when the N is A.',
  'Use I with the A N, since the N would otherwise V twice.',
  'The N and the N are A: one cannot V without the other.',
  'Before you V a N, make sure that its N is A and that I is not empty.',
  'Each N has a A N, which the N uses to V the N.',
  'By default the N waits # milliseconds, then it will V the A N again.',
]
