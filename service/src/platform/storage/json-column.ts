import type { ColumnType } from 'kysely'

/** JSON that is written as text and read parsed. */
export type Json<Value> = ColumnType<Value, string, string>
