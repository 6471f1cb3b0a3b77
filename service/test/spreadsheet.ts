import { zipOf } from './hostile-files.ts'

const OF_SHEETS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OF_RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
/** Number formats: none, and 14, which is a date. */
const STYLES = `<styleSheet xmlns="${OF_SHEETS}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`

/** A spreadsheet of these sheets, each as the XML of its rows. */
export function spreadsheet(sheets: Record<string, string>, strings: readonly string[] = []): Buffer {
  const names = Object.keys(sheets)
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'xl/workbook.xml': `<workbook xmlns="${OF_SHEETS}" xmlns:r="${OF_RELATIONS}"><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="r${at + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names.map((_, at) => `<Relationship Id="r${at + 1}" Type="${OF_RELATIONS}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}<Relationship Id="s1" Type="${OF_RELATIONS}/styles" Target="styles.xml"/><Relationship Id="s2" Type="${OF_RELATIONS}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/styles.xml': STYLES,
    'xl/sharedStrings.xml': `<sst xmlns="${OF_SHEETS}">${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet xmlns="${OF_SHEETS}"><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  }
  return zipOf(Object.entries(files).map(([name, text]) => ({ name, content: Buffer.from(text) })))
}
/** A cell of text at its place, such as `A1`. @param value in XML */
export const textCell = (place: string, value: string) =>
  `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
