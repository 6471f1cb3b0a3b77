import type { z } from 'zod'
import { CALLED_BY, type Permission, type TokenScope } from './endpoint.ts'
import { PageQuery } from './paging.ts'
import { InKnowledgeBase, OneRecord } from './params.ts'
import type { RefusalCode } from './refusals.ts'

/** A kind of record that belongs to a knowledge base. */
export interface RecordDeclaration<Shown extends z.ZodType, Page extends z.ZodType> {
  /** The folder under `service/src` that implements it. */
  room: string
  /** Heading under which the reference lists it. */
  group: string
  /** The noun of its paths: `/knowledge-bases/{id}/widgets` and `/widgets/{id}`. */
  path: string
  record: Shown
  page: Page
  /** What listing and reading require. Default: every member of the base, with any token. */
  reading?: { scope: TokenScope; permission: Permission }
}

interface RowText {
  summary: string
  description?: string
}

/** `refusals` of a row that changes something, in place of the default. */
interface ChangeRow extends RowText {
  refusals?: readonly RefusalCode[]
}

/**
 * Makes the rows of a record: `list`, `create`, `get`, `change` and `remove`. Creating and changing are refused on an archived base, unless
 * the row lists refusals of its own. A row that differs in something else is spread, and what differs is set after it.
 *
 * @example
 * const widgets = recordEndpoints({ room: 'channels/widgets', group: 'Widgets', path: 'widgets', record: Widget, page })
 *
 * declareEndpoints({ listWidgets: widgets.list({ summary: 'List the widgets' }) })
 */
export function recordEndpoints<Shown extends z.ZodType, Page extends z.ZodType>({
  room,
  group,
  path,
  record,
  page,
  reading = CALLED_BY.members,
}: RecordDeclaration<Shown, Page>) {
  const collection = {
    room,
    group,
    path: `/api/v1/knowledge-bases/{id}/${path}`,
    params: InKnowledgeBase,
  } as const
  const one = { room, group, path: `/api/v1/${path}/{id}`, params: OneRecord } as const
  const read = { caller: 'access-token', method: 'GET', ...reading } as const
  const configured = { caller: 'access-token', ...CALLED_BY.configurers } as const
  const refusals: readonly RefusalCode[] = ['KNOWLEDGE_BASE_ARCHIVED']

  return {
    list: (row: RowText) =>
      ({ ...collection, ...read, query: PageQuery, answer: { status: 200, body: page }, ...row }) as const,
    create: <Body extends z.ZodType>(row: ChangeRow & { body: Body }) =>
      ({
        ...collection,
        ...configured,
        method: 'POST',
        refusals,
        answer: { status: 201, body: record },
        ...row,
      }) as const,
    get: (row: RowText) => ({ ...one, ...read, answer: { status: 200, body: record }, ...row }) as const,
    change: <Body extends z.ZodType>(row: ChangeRow & { body: Body }) =>
      ({
        ...one,
        ...configured,
        method: 'PATCH',
        refusals,
        answer: { status: 200, body: record },
        ...row,
      }) as const,
    remove: (row: ChangeRow) =>
      ({ ...one, ...configured, method: 'DELETE', answer: { status: 204 }, ...row }) as const,
  }
}
