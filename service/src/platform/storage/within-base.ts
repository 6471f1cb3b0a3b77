import type { JoinBuilder } from 'kysely'
import type { Tables } from './tables.ts'

type Column = {
  [Table in keyof Tables]: `${Table}.${keyof Tables[Table] & string}`
}[keyof Tables]

/** The column by which a row belongs to its knowledge base, of the table of a column. */
const baseOf = (column: Column) => `${column.slice(0, column.indexOf('.'))}.knowledge_base_id` as Column

/**
 * Joins rows of one knowledge base.
 *
 * @example
 * db.selectFrom('messages').innerJoin('threads', withinBase('threads.id', 'messages.thread_id'))
 */
export const withinBase =
  (joined: Column, to: Column) =>
  // The compiler cannot name the statement's own tables here. One that lacks these two is refused by the database.
  (join: unknown): JoinBuilder<Tables, keyof Tables> =>
    (join as JoinBuilder<Tables, keyof Tables>).onRef(baseOf(joined), '=', baseOf(to)).onRef(joined, '=', to)
