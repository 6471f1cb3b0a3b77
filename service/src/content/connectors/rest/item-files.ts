import { z } from 'zod'
import { leftOutOf, type ParsedDocument } from '../../parsing/parsing.ts'
import {
  markerMemory,
  type ConnectorInput,
  type ListedItem,
  type SourceItem,
  type SourceItems,
  type ListedItems,
} from '../connector.ts'
import { itemFailure, type ApiDeps } from './api-connector.ts'
import {
  asksByItem,
  listedAttachments,
  readAttachments,
  type AskedIds,
  type Attachment,
} from './attachments.ts'
import { readUnlessKnown, unchangedItem, type ListedFacts } from './product-item.ts'

/*
 * Files at items of a product that tells of them only when one item is opened: a list of all items would take a request for each. The ids
 * of the files are remembered with their item, and stand for it as long as the item is unchanged.
 */

/** Files at one item; later ones are left out. */
const MAX_FILES = 200
const MANY_FILES = `Of the files at one item the first ${MAX_FILES} are read.`

const Remembered = z.object({
  files: z.array(z.object({ externalId: z.string(), changed: z.string() })),
  /** Milliseconds since 1970. */
  lookedAt: z.number(),
})
type Remembered = z.infer<typeof Remembered>

/** An item that may have files. */
export interface ItemWithFiles extends ListedFacts {
  url: string
  /** Asks the product for it. May throw `ApiFailure`; `document` may throw `ParseFailure` too. */
  open: () => Promise<{
    files: readonly Attachment[]
    document: () => Promise<{ document: ParsedDocument; modified: string | null | undefined }>
  }>
}

/** How a source deals with files. */
export interface FilesWanted {
  /** Whether its owner wants them. */
  isOn: boolean
  /** For a product whose items may get and lose files without being changed: after so long an item is looked at again. */
  lookAgainMs?: number
}

type Deps = Pick<ApiDeps, 'parse' | 'now'>
type Recall = Pick<ConnectorInput<unknown>, 'recall'>

/** What was remembered of an item's files; undefined if it was never looked for them. */
async function rememberedFiles({ recall }: Recall, externalId: string): Promise<Remembered | undefined> {
  const parsed = Remembered.safeParse((await recall(externalId))?.state)
  return parsed.success ? parsed.data : undefined
}

const isDue = (remembered: Remembered | undefined, { lookAgainMs }: FilesWanted, now: number) =>
  remembered === undefined || (lookAgainMs !== undefined && now - remembered.lookedAt >= lookAgainMs)

/** The files of an item in `list`, after the item itself. */
export async function* listWithFiles(
  { now }: Pick<Deps, 'now'>,
  input: Recall,
  item: ListedItem,
  wanted: FilesWanted,
): ListedItems {
  const before = wanted.isOn ? await rememberedFiles(input, item.externalId) : undefined
  // No item has this marker, so it is read.
  yield wanted.isOn && isDue(before, wanted, now()) ? { ...item, changed: '' } : item
  yield* before?.files ?? []
}

/** The files of an item that is gone, or may no longer be read, go with it. */
export async function* goneWithFiles(
  input: Recall,
  gone: SourceItem & { externalId?: string | undefined },
): SourceItems {
  // Before the item: what is remembered of it goes with it.
  const remembered = await rememberedFiles(input, gone.externalId ?? '')
  yield gone
  for (const { externalId } of remembered?.files ?? []) yield { kind: 'removed', externalId }
}

/**
 * Reads one item by its id, with its files, or says what the failure to read it means for them.
 *
 * @param asked the files that were asked for
 */
export async function* readOneWithFiles<Item>(
  input: Recall,
  { externalId, url, asked }: { externalId: string; url: string; asked: AskedIds | undefined },
  { fetch, itemsOf }: { fetch: () => Promise<Item>; itemsOf: (item: Item) => AsyncIterable<SourceItem> },
): SourceItems {
  let item: Item
  try {
    item = await fetch()
  } catch (error) {
    yield* failedWithFiles(input, error, { externalId, url }, asked)
    return
  }
  yield* itemsOf(item)
}

/** What the failure to read an item says about it and its files. @param asked the files that were asked for */
async function* failedWithFiles(
  input: Recall,
  error: unknown,
  item: Parameters<typeof itemFailure>[1],
  asked?: AskedIds,
): SourceItems {
  const failure = itemFailure(error, item)
  if (failure.kind === 'removed') {
    yield* goneWithFiles(input, failure)
    return
  }
  yield failure
  const remembered = (await rememberedFiles(input, item.externalId))?.files ?? []
  const files = new Set([
    ...remembered.map(({ externalId }) => externalId),
    ...(asked?.filesOf(item.externalId) ?? []),
  ])
  for (const externalId of files) yield itemFailure(error, { ...item, externalId })
}

/**
 * Reads an item, and the files at it as documents of their own, in its visibility. Neither is asked for again while they are unchanged.
 *
 * @param asked the files that are read; undefined: all
 */
export async function* readWithFiles(
  deps: Deps,
  input: ConnectorInput<unknown>,
  item: ItemWithFiles,
  wanted: FilesWanted,
  asked?: AskedIds,
): SourceItems {
  const { externalId, changed } = item
  if (!wanted.isOn) {
    yield await readUnlessKnown(input, item, async () => await (await item.open()).document())
    return
  }
  const known = await unchangedWithFiles(deps, input, item, wanted)
  if (known !== undefined) {
    yield* known
    return
  }
  const before = await rememberedFiles(input, externalId)
  const unchanged = await unchangedItem(input, item)
  let opened: Awaited<ReturnType<ItemWithFiles['open']>>
  try {
    opened = await item.open()
  } catch (error) {
    yield* failedWithFiles(input, error, item, asked)
    return
  }
  const files = opened.files.slice(0, MAX_FILES)
  const leftOut = opened.files.length > MAX_FILES ? [MANY_FILES] : []
  const listed = listedAttachments(files)
  const state: Remembered = { files: listed, lookedAt: deps.now() }
  const read =
    unchanged ??
    (await readUnlessKnown(input, item, async () => {
      const { document, modified } = await opened.document()
      const told = leftOutOf([...leftOut, ...(document.leftOut ?? [])])
      return { document: { ...document, ...told }, modified }
    }))
  if (read.kind === 'removed') {
    yield* goneWithFiles(input, read)
    return
  }
  yield read.kind === 'document' || read.kind === 'unchanged'
    ? { ...read, memory: { ...markerMemory(externalId, changed), state: { ...state } } }
    : read
  yield* readAttachments(deps, input, files, asked)
  const there = new Set(listed.map((file) => file.externalId))
  for (const file of before?.files ?? [])
    if (!there.has(file.externalId)) yield { kind: 'removed', externalId: file.externalId }
}

/** What to yield of an item and its files if all are as they were when they were last read; undefined if not. */
export async function unchangedWithFiles(
  { now }: Pick<Deps, 'now'>,
  input: Recall,
  item: ListedFacts,
  wanted: FilesWanted,
): Promise<SourceItem[] | undefined> {
  const { externalId, changed, visibility } = item
  const unchanged = await unchangedItem(input, item)
  if (unchanged === undefined || !wanted.isOn) return unchanged === undefined ? undefined : [unchanged]
  const before = await rememberedFiles(input, externalId)
  if (before === undefined || isDue(before, wanted, now())) return undefined
  const found: SourceItem[] = [
    { ...unchanged, memory: { ...markerMemory(externalId, changed), state: { ...before } } },
  ]
  for (const file of before.files) {
    const unchanged = await unchangedItem(input, { ...file, visibility })
    if (unchanged === undefined) return undefined
    found.push(unchanged)
  }
  return found
}

/**
 * Reads items and files by their ids. An item that is asked for comes with its files; of another one, only the files that are. Files that
 * their item no longer has are gone.
 */
export async function* readItemsWithFiles(
  externalIds: readonly string[],
  readOne: (item: string, asked: AskedIds | undefined) => SourceItems,
): SourceItems {
  const { asked, files } = asksByItem(externalIds)
  for (const [item, ids] of files) {
    const isWhole = asked.has(item)
    const left = new Set(ids)
    for await (const part of readOne(item, isWhole ? undefined : asked)) {
      const isAsked = !('externalId' in part) || part.externalId === undefined || left.delete(part.externalId)
      if (isAsked || isWhole) yield part
    }
    for (const externalId of left) yield { kind: 'removed', externalId }
  }
}
