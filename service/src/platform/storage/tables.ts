import type { IsolationLevel, Kysely } from 'kysely'

/** All tables. Each room declares those that it owns, in a file of its own beside its store: `<room>-tables.ts` or `<table>-table.ts`. */
export interface Tables {}

/** A handle on every table, for what several rooms write in one transaction, each its own tables. */
export type WholeDb = Db<keyof Tables>

/**
 * A database handle limited to the tables it names: the type of a store shows which tables it uses. A handle on more tables serves where
 * fewer are asked for.
 */
// That is what `in` says. Without it the compiler compares all methods of two handles, for each pair of them: half of the time that it
// takes for the service. It cannot prove the rule for tables that it does not know.
// @ts-expect-error
export interface Db<in Names extends keyof Tables> extends Kysely<Pick<Tables, Names>> {
  transaction(): DbTransactions<Names>
}

/** A handle on the tables of each of some handles: `Joined<SourcesDb | DocumentsDb>`. */
export type Joined<Handles> = Db<Handles extends Db<infer Names> ? Names : never>

/** Starts transactions on the same tables. */
type DbTransactions<Names extends keyof Tables> = Omit<
  ReturnType<Kysely<Pick<Tables, Names>>['transaction']>,
  'setIsolationLevel' | 'execute'
> & {
  setIsolationLevel(level: IsolationLevel): DbTransactions<Names>
  execute<Result>(work: (transaction: Db<Names>) => Promise<Result>): Promise<Result>
}
