import {
  measureEvidence,
  measureGoldAnswer,
  measureGoldWords,
  measureGroundedness,
} from '../measures/answers.ts'
import type { Measure } from '../measures/observation.ts'
import { measureRefusal } from '../measures/refusal.ts'
import { measureGroups, measureSearch, measureThreads, measureVersions } from '../measures/retrieval.ts'
import { measureSpans } from '../measures/spans.ts'
import { readPages, readQuestions, textOf, textsOf, type Page, type Question } from './read-set.ts'
import { plainQuestions } from './plain-questions.ts'
import {
  ANSWERED,
  SEARCHED,
  type BasePlan,
  type PartPlan,
  type SetPlan,
  type SourcePlan,
} from './set-plan.ts'

const sourceOf = (name: string, pages: readonly Page[], more: Partial<SourcePlan> = {}): SourcePlan => ({
  name,
  pages,
  versionLabel: null,
  isGrouped: false,
  ...more,
})

const baseOf = (name: string, pages: readonly Page[], language: string | null = null): BasePlan => ({
  name,
  language,
  sources: [sourceOf('pages', pages)],
})

/** A source for each value of a field of the pages. */
const sourcesBy = (
  pages: readonly Page[],
  field: string,
  more: (value: string) => Partial<SourcePlan>,
): SourcePlan[] =>
  [...Map.groupBy(pages, (page) => textOf(page.fields, field))].map(([value, held]) =>
    sourceOf(value, held, more(value)),
  )

/** A set whose questions are only searched for. */
const searched = (name: string): SetPlan => ({
  name,
  parts: (folder) => [
    {
      name,
      base: baseOf(name, readPages(folder)),
      questions: readQuestions(folder),
      ask: () => SEARCHED,
      measures: [measureSearch],
    },
  ],
})

/** A set whose questions are searched for and answered. */
const answered = (name: string, ...measures: Measure[]): SetPlan => ({
  name,
  parts: (folder) => [
    {
      name,
      base: baseOf(name, readPages(folder)),
      questions: readQuestions(folder),
      ask: () => ANSWERED,
      measures: [measureSearch, measureRefusal, ...measures, measureGroundedness],
    },
  ],
})

/** The documentation's own FAQ as questions: with its pages in the index, and (harder) without them. */
function faqOut(
  name: string,
  folder: string,
  base: (name: string, pages: readonly Page[]) => BasePlan,
): PartPlan {
  const pages = readPages(folder).filter((page) => page.fields['faq'] !== true)
  return {
    name: `${name} FAQ-out`,
    base: base(`${name} FAQ-out`, pages),
    questions: readQuestions(folder, 'qrels_nofaq.tsv').filter(({ relevant }) => relevant.size > 0),
    ask: () => SEARCHED,
    measures: [measureSearch],
  }
}

const pythonFaq: SetPlan = {
  name: 'python_faq',
  parts: (folder) => [
    ...answered('python_faq').parts(folder),
    faqOut('python_faq', folder, (name, pages) => baseOf(name, pages)),
  ],
}

const threeProducts = (name: string, pages: readonly Page[]): BasePlan => ({
  name,
  language: null,
  sources: sourcesBy(pages, 'source', () => ({ isGrouped: true })),
})

const multiFaq: SetPlan = {
  name: 'multi_faq',
  parts: (folder) => {
    const base = threeProducts('multi_faq', readPages(folder))
    const questions = readQuestions(folder)
    return [
      {
        name: 'multi_faq',
        base,
        questions,
        ask: () => ANSWERED,
        measures: [measureSearch, measureRefusal, measureGroundedness],
      },
      {
        name: 'multi_faq in its group',
        base,
        questions: questions.filter(({ fields }) => textOf(fields, 'source') !== ''),
        ask: ({ fields }) => ({ ...ANSWERED, groups: [textOf(fields, 'source')] }),
        measures: [measureSearch, measureGroups],
      },
      faqOut('multi_faq', folder, threeProducts),
    ]
  },
}

/** The version of the branch `main` when its pages were taken. */
const VITE_MAIN = 'v8'
const viteLabel = (version: string) => (version === 'main' ? VITE_MAIN : version)

const viteVersions: SetPlan = {
  name: 'vite_versions',
  parts: (folder) => [
    {
      name: 'vite_versions',
      base: {
        name: 'vite_versions',
        language: null,
        sources: sourcesBy(readPages(folder), 'version', (version) => ({ versionLabel: viteLabel(version) })),
      },
      questions: readQuestions(folder),
      ask: () => ANSWERED,
      measures: [
        measureSearch,
        measureVersions(({ question }) => viteLabel(textOf(question.fields, 'version'))),
        measureGroundedness,
      ],
    },
  ],
}

/** The reader's turns before the last one. */
function earlierTurns({ fields }: Question): string[] {
  const turns = textsOf(fields, 'all_user_turns')
  if (turns.length > 0) return turns.slice(0, -1)
  const history = fields['history']
  return (Array.isArray(history) ? (history as { role: string; content: string }[]) : [])
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content)
}

const mtrag: SetPlan = {
  name: 'mtrag',
  parts: (folder) => {
    const base = baseOf('mtrag', readPages(folder))
    const questions = readQuestions(folder)
    return [
      {
        name: 'mtrag',
        base,
        questions,
        ask: (question) => ({ ...ANSWERED, earlier: earlierTurns(question) }),
        measures: [measureThreads, measureRefusal, measureGroundedness],
      },
      {
        name: 'mtrag without history',
        base,
        questions: questions.filter(({ relevant }) => relevant.size > 0),
        ask: () => SEARCHED,
        measures: [measureSearch],
      },
    ]
  },
}

const xquad: SetPlan = {
  name: 'xquad',
  parts: (folder) => {
    const pages = readPages(folder)
    const questions = readQuestions(folder)
    const languages = [...new Set(pages.map((page) => textOf(page.fields, 'lang')))]
    return languages.map((language) => ({
      name: `xquad ${language}`,
      base: baseOf(
        `xquad ${language}`,
        pages.filter((page) => textOf(page.fields, 'lang') === language),
        language,
      ),
      questions: questions.filter(({ fields }) => textOf(fields, 'lang') === language),
      ask: () => SEARCHED,
      measures: [measureSearch],
    }))
  },
}

const chunkingEval: SetPlan = {
  name: 'chunking_eval',
  parts: (folder) => {
    const pages = readPages(folder)
    return [
      {
        name: 'chunking_eval',
        base: baseOf('chunking_eval', pages),
        questions: readQuestions(folder),
        ask: () => ({ ...ANSWERED, searches: false, readsPassages: true }),
        measures: [measureSpans(new Map(pages.map((page) => [page.id, page.text])))],
      },
    ]
  },
}

/** All sets, by their data folder. The product has the same settings for all of them. */
export const SET_PLANS: readonly SetPlan[] = [
  plainQuestions,
  answered('ray_docs_qa'),
  answered('airflow_so'),
  answered('aws_docs_qa', measureGoldWords),
  answered('anthropic_docs'),
  answered('squad2', measureGoldAnswer),
  answered('clapnq', measureEvidence),
  mtrag,
  pythonFaq,
  multiFaq,
  viteVersions,
  searched('airflow_so_answers'),
  searched('code_chunks'),
  chunkingEval,
  xquad,
  searched('cranfield'),
]
