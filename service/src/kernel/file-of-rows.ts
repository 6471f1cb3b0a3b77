import { BYTE_ORDER_MARK, csvLine } from '@citewell/contract/csv'

export type ExportFormat = 'csv' | 'ndjson'

/** A row of a file, with a value for each column. */
export type ExportRow<Columns extends readonly string[]> = Record<
  Columns[number],
  string | number | boolean | null
>

export const contentTypeOf = (format: ExportFormat): string =>
  format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8'

/** Rows as a file: CSV with a byte order mark and a line of column names, or a JSON object a line. */
export function fileOfRows<const Columns extends readonly string[]>(
  columns: Columns,
  rows: readonly ExportRow<Columns>[],
  format: ExportFormat,
): string {
  if (format === 'ndjson') return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const values = (row: ExportRow<Columns>) => columns.map((column: Columns[number]) => row[column])
  return BYTE_ORDER_MARK + csvLine(columns) + rows.map((row) => csvLine(values(row))).join('')
}
