import type { Kysely } from 'kysely'

/** All tables. Each room declares those that it owns, in a file of its own beside its store: `<room>-tables.ts` or `<table>-table.ts`. */
export interface Tables {}

/** A handle on every table, for what several rooms write in one transaction, each its own tables. */
export type WholeDb = Kysely<Tables>

/** A database handle limited to the tables it names: the type of a store shows which tables it uses. */
export type Db<Names extends keyof Tables> = Kysely<Pick<Tables, Names>>
