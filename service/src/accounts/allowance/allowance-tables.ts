import type { ColumnType } from 'kysely'

/** Questions of a workspace in one month (`2026-11`, UTC). */
export interface QuestionAllowancesTable {
  workspace_id: string
  month: string
  used: number
}

/** The same per knowledge base: the sum equals the number of the workspace. */
export interface QuestionUsageTable {
  workspace_id: string
  month: string
  knowledge_base_id: string
  used: number
  given_back: ColumnType<number, number | undefined, number>
  /** By surface; questions that were counted before surfaces were are in none. */
  surfaces: ColumnType<Record<string, number>, string | undefined, string>
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    question_allowances: QuestionAllowancesTable
    question_usage: QuestionUsageTable
  }
}
