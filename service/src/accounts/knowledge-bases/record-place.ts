import type { BaseRecords } from '../../platform/storage/base-records.ts'
import type { Tables } from '../../platform/storage/tables.ts'

/** Where the records of a base that a noun in paths stands for are stored. */
export type RecordPlace = {
  [Table in BaseRecords]: {
    /** As in the paths of the endpoints: `source-groups` in `/api/v1/source-groups/{id}`. */
    noun: string
    table: Table
    /** The column with the name of a record; omitted if it has none. */
    name?: keyof Tables[Table] & string
  }
}[BaseRecords]
