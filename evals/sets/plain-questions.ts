import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { measureSearch } from '../measures/retrieval.ts'
import { measureRefusal } from '../measures/refusal.ts'
import { measureGroundedness } from '../measures/answers.ts'
import { measurePlainQuestions } from '../measures/plain-questions.ts'
import { GUIDE_CORRECTIONS } from './guide-corrections.ts'
import type { Page, Question } from './read-set.ts'
import { textsOf } from './read-set.ts'
import { ANSWERED, type PartPlan, type SetPlan, type SourcePlan } from './set-plan.ts'

/** Where Debian's packages install the documentation of the questions; the guide is our own. */
const SITES: Record<string, { package: string; folder: string }> = {
  aiohttp: { package: 'python-aiohttp-doc', folder: '/usr/share/doc/python-aiohttp-doc/html' },
  sqlalchemy14: { package: 'python-sqlalchemy-doc', folder: '/usr/share/doc/python-sqlalchemy-doc/html' },
  flask: { package: 'python-flask-doc', folder: '/usr/share/doc/python-flask-doc/html' },
  sqlite3: { package: 'sqlite3-doc', folder: '/usr/share/doc/sqlite3' },
}

const GUIDE = resolve(import.meta.dirname, '../../docs/guide')

function guidePages(): Page[] {
  return readdirSync(GUIDE)
    .filter((name) => name.endsWith('.md'))
    .map((name) => {
      const text = readFileSync(join(GUIDE, name), 'utf8')
      return { id: name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text, url: undefined, fields: {} }
    })
}

function sourceOf(product: string): SourcePlan {
  const source = { name: product, versionLabel: null, isGrouped: false }
  if (product === 'guide') return { ...source, pages: guidePages() }
  const site = SITES[product]
  if (site === undefined || !existsSync(site.folder)) {
    throw new Error(
      `The documentation of ${product} is not on this machine: install ${site?.package ?? 'it'}.`,
    )
  }
  return { ...source, pages: [], site: site.folder }
}

const readQuestions = (file: string): Question[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const written = JSON.parse(line) as Record<string, unknown>
      const fields = { ...written, ...GUIDE_CORRECTIONS[String(written['id'])] }
      return {
        id: String(written['id']),
        text: String(written['text']),
        isAnswerable: (fields.answerable ?? written['answerable']) === true,
        relevant: new Map(textsOf(fields, 'pages').map((page) => [page, 1])),
        fields,
      }
    })

/** Questions of newcomers, a part for each product. */
export const plainQuestions: SetPlan = {
  name: 'plain_questions',
  parts: (folder) =>
    ['guide', 'aiohttp', 'flask', 'sqlalchemy14', 'sqlite3'].map((product): PartPlan => ({
      name: `plain_questions ${product}`,
      base: { name: `plain ${product}`, language: null, sources: [sourceOf(product)] },
      questions: readQuestions(join(folder, product, 'queries.jsonl')),
      ask: () => ANSWERED,
      measures: [measureSearch, measureRefusal, measurePlainQuestions, measureGroundedness],
    })),
}
