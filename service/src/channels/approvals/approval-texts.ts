import type { Selectable } from 'kysely'
import type { QuestionSettings } from '../../answers/answering/answering.ts'
import { parseJson } from '../../kernel/json.ts'
import { openedOrNothing, type SealedPlace, type Sealer } from '../../platform/secrets/sealed.ts'
import type { ApprovalsTable, KeptOfApproval } from './approvals-table.ts'

type ApprovalRow = Selectable<ApprovalsTable>

/** The columns with what people wrote. */
export type ApprovalTexts = Pick<
  ApprovalRow,
  'title' | 'content' | 'action_input' | 'edited_content' | 'comment'
>

/** How texts are stored: what may stay in the columns, the rest encrypted for as long as it is needed. */
export type StoredTexts = ApprovalTexts & Pick<ApprovalRow, 'sealed_texts' | 'keeps'>

const placeOf = (id: string): SealedPlace => ({ table: 'approvals', row: id, column: 'sealed_texts' })

const textsOf = ({
  title,
  content,
  action_input,
  edited_content,
  comment,
}: ApprovalTexts): ApprovalTexts => ({
  title,
  content,
  action_input,
  edited_content,
  comment,
})

/** The texts of a value as JSON has it, and the names of its fields, each changed. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [change(name), mapTexts(item, change)]),
  )
}

const STRICTNESS: readonly KeptOfApproval[] = ['all', 'masked', 'nothing']

/** What may stay by the settings of now, or by what was promised before, whichever is less. */
export function keptBy(
  { masking, zeroRetention }: Pick<QuestionSettings, 'masking' | 'zeroRetention'>,
  before: KeptOfApproval = 'all',
): KeptOfApproval {
  const now = zeroRetention ? 'nothing' : masking.isOn ? 'masked' : 'all'
  return STRICTNESS.indexOf(now) > STRICTNESS.indexOf(before) ? now : before
}

/** How the texts of an approval are stored. */
export function storedTexts(
  sealer: Pick<Sealer, 'seal'>,
  id: string,
  given: ApprovalTexts,
  { keeps, mask }: { keeps: KeptOfApproval; mask: (text: string) => string },
): StoredTexts {
  const texts = textsOf(given)
  if (keeps === 'all') return { ...texts, sealed_texts: null, keeps }
  const sealed = { sealed_texts: sealer.seal(JSON.stringify(texts), placeOf(id)), keeps }
  if (keeps === 'nothing')
    return { title: '', content: '', action_input: {}, edited_content: null, comment: null, ...sealed }
  return { ...mapTextsOf(texts, mask), ...sealed }
}

const mapTextsOf = (texts: ApprovalTexts, mask: (text: string) => string): ApprovalTexts => ({
  title: mask(texts.title),
  content: mask(texts.content),
  // An object stays one.
  action_input: mapTexts(texts.action_input, mask) as Record<string, unknown>,
  edited_content: texts.edited_content === null ? null : mask(texts.edited_content),
  comment: texts.comment === null ? null : mask(texts.comment),
})

const UNREADABLE = '[cannot be opened with the secret key of this service]'

/** An approval as it was written, for as long as that is stored; then as it stays. */
export function openTexts(sealer: Pick<Sealer, 'open'>, row: ApprovalRow): ApprovalRow {
  const { sealed_texts: sealed, id } = row
  if (sealed === null) return row
  const opened = openedOrNothing(() => sealer.open(sealed, placeOf(id)))
  // Written by `storedTexts`.
  if (opened !== undefined) return { ...row, ...(parseJson(opened) as ApprovalTexts) }
  return row.keeps === 'nothing' ? { ...row, title: UNREADABLE, content: UNREADABLE } : row
}
