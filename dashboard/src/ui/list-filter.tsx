import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FilterBar, TextFilter } from './filter-bar.tsx'
import { Empty } from './page.tsx'

/** Shorter lists are seen at a glance. */
const LONG = 10

const MOST_CHARACTERS = 200

/** What is looked for in a list, from the address. */
export const readListSearch = ({ q }: Record<string, unknown>): { q?: string } =>
  (typeof q === 'string' && q !== '') || typeof q === 'number'
    ? { q: String(q).slice(0, MOST_CHARACTERS) }
    : {}

/** The rows of a list that was read whole whose text contains what is looked for, below the field for it. It is kept in the address. */
export function ListFilter<Row>({
  label,
  rows,
  textOf,
  children,
}: {
  label: string
  rows: readonly Row[]
  textOf: (row: Row) => string
  children: (rows: readonly Row[]) => ReactNode
}) {
  const navigate = useNavigate()
  const { q = '' }: { q?: string } = useSearch({ strict: false })
  if (q === '' && rows.length <= LONG) return children(rows)
  const wanted = q.toLowerCase()
  const found = wanted === '' ? rows : rows.filter((row) => textOf(row).toLowerCase().includes(wanted))
  return (
    <>
      <FilterBar>
        <TextFilter
          label={label}
          value={q}
          maxLength={MOST_CHARACTERS}
          onChange={(next) =>
            void navigate({
              to: '.',
              search: ({ q: _before, ...others }) => ({ ...others, ...(next !== '' && { q: next }) }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      </FilterBar>
      {found.length === 0 ? <Empty says="No results. Change or clear the text." /> : children(found)}
    </>
  )
}
