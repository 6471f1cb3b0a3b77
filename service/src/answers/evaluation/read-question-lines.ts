import { NewEvaluationQuestion, type ImportEvaluationQuestions } from '@citewell/contract/evaluations'
import { z } from 'zod'
import { parseCsv } from '../../kernel/csv.ts'
import { parseJson } from '../../kernel/json.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { parseRequestPart } from '../../platform/http/parse-request-part.ts'

/** A line of a file of questions, the same as `citewell eval` reads. */
const Line = z.object({
  question: z.string(),
  url: z.string().optional(),
  urls: z.array(z.string()).default([]),
  answerable: z.boolean().default(true),
})

type Question = z.output<typeof NewEvaluationQuestion>

/** @throws Refusal BAD_REQUEST for what is no question */
function questionOf(value: unknown): Question {
  const { question, url, urls, answerable } = parseRequestPart(Line, value)
  return parseRequestPart(NewEvaluationQuestion, {
    question,
    urls: url === undefined ? urls : [url, ...urls],
    answerable,
  })
}

const MOST_FAULTS = 10
const FALSE_WORDS = new Set(['false', 'no', '0'])

/** The objects of a file with the lines on which they begin. */
function* rowsOf({ format, text }: ImportEvaluationQuestions): Generator<{ line: number; value: unknown }> {
  if (format === 'jsonl') {
    for (const [index, line] of text.split('\n').entries()) {
      if (line.trim() !== '') yield { line: index + 1, value: parseJson(line) }
    }
    return
  }
  // A spreadsheet may write a byte order mark.
  const [head, ...rows] = parseCsv(text.replace(/^\uFEFF/, ''))
  const names = head?.fields.map((name) => name.trim().toLowerCase()) ?? []
  if (!names.includes('question')) {
    yield { line: head?.line ?? 1, value: { question: undefined } }
    return
  }
  for (const { line, fields } of rows) {
    const field = (name: string) => fields[names.indexOf(name)]?.trim() ?? ''
    const urls = `${field('url')} ${field('urls')}`.split(/\s+/).filter((url) => url !== '')
    const answerable = !FALSE_WORDS.has(field('answerable').toLowerCase())
    yield { line, value: { question: field('question'), urls, answerable } }
  }
}

/**
 * The questions of a file.
 *
 * @throws Refusal BAD_REQUEST with the lines that are no questions
 */
export function readQuestionLines(given: ImportEvaluationQuestions): Question[] {
  const questions: Question[] = []
  const faults: { path: string; message: string }[] = []
  for (const { line, value } of rowsOf(given)) {
    try {
      questions.push(questionOf(value))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const [fault] = error.details ?? []
      const where = [fault?.path ?? '', fault?.message ?? 'is not a question'].filter(Boolean)
      faults.push({ path: 'text', message: `line ${line}: ${where.join(' ')}` })
    }
    if (faults.length === MOST_FAULTS) break
  }
  if (questions.length === 0 && faults.length === 0) faults.push({ path: 'text', message: 'has no question' })
  if (faults.length > 0) throw new Refusal('BAD_REQUEST', { details: faults })
  return questions
}
