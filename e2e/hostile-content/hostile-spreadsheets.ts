import { spreadsheet, textCell } from '../../service/test/spreadsheet.ts'

const row = (at: number, cells: string) => `<row r="${at}">${cells}</row>`

/** Spreadsheets that are broken, endless, or made to attack their reader. */
export const SPREADSHEETS: Record<string, () => Buffer> = {
  'empty-cells.xlsx': () => spreadsheet({ Valves: row(1, '<c r="A1"/>'.repeat(1_000_000)) }),
  'far-cell.xlsx': () => spreadsheet({ Valves: row(1_048_576, textCell('XFD1048576', 'Valve.')) }),
  'shared-text.xlsx': () =>
    spreadsheet(
      {
        Valves: Array.from({ length: 10_000 }, (_, at) =>
          row(at + 1, `<c r="A${at + 1}" t="s"><v>0</v></c>`),
        ).join(''),
      },
      ['Valve. '.repeat(100_000)],
    ),
  'many-sheets.xlsx': () =>
    spreadsheet(
      Object.fromEntries(
        Array.from({ length: 5_000 }, (_, at) => [`S${at}`, row(1, textCell('A1', 'Valve.'))]),
      ),
    ),
  'laughs.xlsx': () => spreadsheet({ Valves: row(1, textCell('A1', '&a30;')) }),
  'cut.xlsx': () => spreadsheet({ Valves: row(1, textCell('A1', 'Valve.')) }).subarray(0, 600),
}
