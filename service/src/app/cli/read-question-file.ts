import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { parseJson } from '../../kernel/json.ts'
import { CommandFailure, EXIT } from './command.ts'

const Address = z.string().trim().min(1)

const Line = z
  .object({
    question: z.string().trim().min(1),
    url: Address.optional(),
    urls: z.array(Address).default([]),
    answerable: z.boolean().default(true),
  })
  .transform(({ question, url, urls, answerable }) => ({
    question,
    urls: url === undefined ? urls : [url, ...urls],
    isAnswerable: answerable,
  }))

/** A question, with the addresses of the pages that answer it: one of them is enough. */
export interface ExpectedAnswer {
  question: string
  urls: string[]
  isAnswerable: boolean
}

const SHAPE = '{"question": "…", "url": "https://…"}'

/**
 * Reads a file of questions, a JSON object a line; empty lines are passed over.
 *
 * @throws CommandFailure that names the line that is no question.
 */
export function readQuestionFile(path: string): ExpectedAnswer[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    throw new CommandFailure(EXIT.notFound, `The file ${path} cannot be read.`)
  }
  const questions = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const parsed = Line.safeParse(parseJson(line))
    if (parsed.success) return [parsed.data]
    throw new CommandFailure(
      EXIT.validation,
      `Line ${index + 1} of ${path} is not a question like ${SHAPE}.\n${z.prettifyError(parsed.error)}`,
    )
  })
  if (questions.length === 0)
    throw new CommandFailure(EXIT.validation, `There is no question in ${path}.`, {
      hint: `a line: ${SHAPE}`,
    })
  return questions
}
