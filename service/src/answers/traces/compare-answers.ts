import type { AnswerSteps, Replay } from '@citewell/contract/traces'

type Differences = Replay['differences']
type Page = Differences['pages_found']['gone'][number]

const pageOf = ({ document_id, title, url }: Page): Page => ({ document_id, title, url })

/** Each page once, under its first title. */
const pagesOf = (named: readonly Page[]) =>
  new Map(named.toReversed().map((each) => [each.document_id, pageOf(each)]))

function differenceOf(before: ReadonlyMap<string, Page>, after: ReadonlyMap<string, Page>) {
  return {
    kept: [...before.keys()].filter((id) => after.has(id)).length,
    gone: [...before.values()].filter(({ document_id }) => !after.has(document_id)),
    added: [...after.values()].filter(({ document_id }) => !before.has(document_id)),
  }
}

const hasChanged = ({ gone, added }: { gone: unknown[]; added: unknown[] }) => gone.length + added.length > 0

/** Diff of a replayed answer against the stored one, limited to what the caller may read. */
export function compareAnswers(before: AnswerSteps, after: AnswerSteps): Differences {
  const found = differenceOf(pagesOf(before.retrieved), pagesOf(after.retrieved))
  const cited = differenceOf(pagesOf(before.citations), pagesOf(after.citations))
  const covered = before.covered === after.covered ? null : { before: before.covered, after: after.covered }
  const isRewrittenDifferently = before.rewritten_query !== after.rewritten_query
  const isAnsweredDifferently = before.answer !== after.answer
  return {
    any:
      isRewrittenDifferently ||
      isAnsweredDifferently ||
      covered !== null ||
      hasChanged(found) ||
      hasChanged(cited),
    rewritten_query: isRewrittenDifferently,
    pages_found: found,
    pages_cited: cited,
    covered,
    answer: isAnsweredDifferently,
  }
}
