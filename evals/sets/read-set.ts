import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A page of a set's corpus, with all other fields of its line. */
export interface Page {
  id: string
  title: string
  text: string
  url: string | undefined
  fields: Readonly<Record<string, unknown>>
}

export interface Question {
  id: string
  text: string
  /** Undefined if the set does not judge it. */
  isAnswerable: boolean | undefined
  /** Pages that answer it, with their relevance. */
  relevant: ReadonlyMap<string, number>
  fields: Readonly<Record<string, unknown>>
}

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')

const recordsOf = (file: string) => linesOf(file).map((line) => JSON.parse(line) as Record<string, unknown>)

/** A text field; empty if it is not text. */
export const textOf = (fields: Readonly<Record<string, unknown>>, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}

/** A field that is a list of texts; empty if it is not. */
export const textsOf = (fields: Readonly<Record<string, unknown>>, name: string): string[] => {
  const value = fields[name]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** The pages of `<folder>/corpus.jsonl`. */
export function readPages(folder: string): Page[] {
  return recordsOf(join(folder, 'corpus.jsonl')).map((fields) => ({
    id: String(fields['id']),
    title: textOf(fields, 'title'),
    text: textOf(fields, 'text'),
    url: typeof fields['url'] === 'string' ? fields['url'] : undefined,
    fields,
  }))
}

/**
 * The questions of `<folder>/dev/queries.jsonl`, with the pages that answer them.
 *
 * @param judgements - the file with the relevance judgements: `qrels.tsv`, or another of the same format
 */
export function readQuestions(folder: string, judgements = 'qrels.tsv'): Question[] {
  const relevant = new Map<string, Map<string, number>>()
  for (const line of linesOf(join(folder, 'dev', judgements)).slice(1)) {
    const [question = '', page = '', gain = '0'] = line.split('\t')
    const pages = relevant.get(question) ?? new Map<string, number>()
    relevant.set(question, pages)
    if (Number(gain) > 0) pages.set(page, Number(gain))
  }
  return recordsOf(join(folder, 'dev', 'queries.jsonl')).map((fields) => {
    const id = String(fields['id'])
    return {
      id,
      text: textOf(fields, 'text'),
      isAnswerable: typeof fields['answerable'] === 'boolean' ? fields['answerable'] : undefined,
      relevant: relevant.get(id) ?? new Map<string, number>(),
      fields,
    }
  })
}

/** `limit` questions, spread evenly over all of them, so that every kind of question is represented. */
export function spread<Item>(items: readonly Item[], limit: number | undefined): Item[] {
  if (limit === undefined || limit >= items.length) return [...items]
  return Array.from(
    { length: limit },
    (_, place) => items[Math.floor((place * items.length) / limit)],
  ).filter((item) => item !== undefined)
}
