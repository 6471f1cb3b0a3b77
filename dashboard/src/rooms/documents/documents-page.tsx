import type { DocumentPage } from '@citewell/sdk/management'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useDocumentCounts, useDocuments, type DocumentFilter } from '../../api/documents.ts'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useSources } from '../../api/sources.ts'
import { Fault } from '../../ui/fault.tsx'
import { ChoiceFilter, FilterBar, TextFilter } from '../../ui/filter-bar.tsx'
import { Skeleton } from '../../ui/loaded.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { count, Time } from '../../ui/time.tsx'
import { VirtualTable } from '../../ui/virtual-table.tsx'
import { BulkVisibility } from './bulk-visibility.tsx'
import { filterOf, type DocumentSearch } from './document-search.ts'

type Row = DocumentPage['data'][number]

const SORTS = [
  ['title', 'Title'],
  ['-indexed_at', 'Most recently read'],
  ['indexed_at', 'Least recently read'],
  ['-chunk_count', 'Most passages'],
] as const

function Filters({
  baseId,
  search,
  onChange,
}: {
  baseId: string
  search: DocumentSearch
  onChange: (change: Partial<DocumentSearch>) => void
}) {
  const sources = useSources(baseId).data ?? []
  const labels = [...new Set(sources.flatMap(({ version_label: label }) => label ?? []))].toSorted()
  return (
    <FilterBar>
      <TextFilter
        label="Title or address contains"
        value={search.q ?? ''}
        maxLength={200}
        onChange={(q) => onChange({ q })}
      />
      <ChoiceFilter
        label="Source"
        value={search.source ?? ''}
        options={[['', 'All'], ...sources.map(({ id, name }) => [id, name] as const)]}
        onChange={(source) => onChange({ source })}
      />
      {labels.length > 0 && (
        <ChoiceFilter
          label="Version"
          value={search.label ?? ''}
          options={[['', 'All'], ...labels.map((label) => [label, label] as const)]}
          onChange={(label) => onChange({ label })}
        />
      )}
      <ChoiceFilter
        label="Visible to"
        value={search.visible ?? ''}
        options={[
          ['', 'All'],
          ['public', 'Everyone'],
          ['restricted', 'Members'],
        ]}
        onChange={(visible) =>
          onChange({ visible: visible === 'public' || visible === 'restricted' ? visible : undefined })
        }
      />
      <ChoiceFilter
        label="Order"
        value={search.sort ?? 'title'}
        options={SORTS}
        onChange={(sort) => onChange({ sort: SORTS.find(([one]) => one === sort)?.[0] })}
      />
    </FilterBar>
  )
}

const columnsOf = (
  baseId: string,
  chosen: ReadonlySet<string>,
  choose: (ids: readonly string[], isChosen: boolean) => void,
  rows: readonly Row[],
) => [
  {
    name: 'Chosen',
    width: 'check',
    head: (
      <input
        type="checkbox"
        aria-label="Choose all documents that are shown"
        checked={rows.length > 0 && rows.every(({ id }) => chosen.has(id))}
        onChange={(event) =>
          choose(
            rows.map(({ id }) => id),
            event.target.checked,
          )
        }
      />
    ),
    of: ({ id, title }: Row) => (
      <input
        type="checkbox"
        aria-label={`Choose ${title}`}
        checked={chosen.has(id)}
        onChange={(event) => choose([id], event.target.checked)}
      />
    ),
  },
  {
    name: 'Title',
    of: ({ id, title, url }: Row) => (
      <Link
        to="/kb/$baseId/documents/$documentId"
        params={{ baseId, documentId: id }}
        title={url}
        preload={false}
      >
        {title}
      </Link>
    ),
  },
  {
    name: 'Visible to',
    width: 'medium',
    of: ({ visibility }: Row) =>
      visibility === 'public' ? <Status tone="ok">Everyone</Status> : <Status tone="quiet">Members</Status>,
  },
  { name: 'Version', width: 'small', isExtra: true, of: ({ version_label: label }: Row) => label ?? '–' },
  {
    name: 'Passages',
    width: 'small',
    isExtra: true,
    isNumber: true,
    of: (row: Row) => count(row.chunk_count),
  },
  { name: 'Read', width: 'medium', isExtra: true, of: (row: Row) => <Time at={row.indexed_at} /> },
]

/** Ids that are chosen. With another filter none are: what it does not show is not changed with what it shows. */
function useChosen(filter: string) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [chosenOf, setChosenOf] = useState(filter)
  if (chosenOf !== filter) {
    setChosenOf(filter)
    setChosen(new Set())
  }
  return [chosen, setChosen] as const
}

/** What a filter found, in rows. */
function Found({ baseId, search }: { baseId: string; search: DocumentSearch }) {
  const filter: DocumentFilter = filterOf(search)
  const documents = useDocuments(baseId, filter, search.sort ?? 'title')
  const counts = useDocumentCounts(baseId, filter)
  const base = useKnowledgeBase(baseId)
  const [chosen, setChosen] = useChosen(JSON.stringify(filter))
  const rows = documents.data?.pages.flatMap(({ data }) => data) ?? []
  const { fetchNextPage, hasNextPage, isFetching } = documents
  const readMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [fetchNextPage, hasNextPage, isFetching])
  function choose(ids: readonly string[], isChosen: boolean): void {
    const next = new Set(chosen)
    for (const id of ids) {
      if (isChosen) next.add(id)
      else next.delete(id)
    }
    setChosen(next)
  }
  if (documents.isPending) return <Skeleton />
  if (documents.isLoadingError)
    return <Fault error={documents.error} onRetry={() => void documents.refetch()} />
  const total = counts.data?.total ?? rows.length
  if (rows.length === 0) {
    return Object.keys(filter).length > 0 ? (
      <Empty says="No documents match. Change or remove a filter." />
    ) : (
      <Empty says="No documents yet: they appear while a source is read.">
        <Link to="/kb/$baseId/sources" params={{ baseId }}>
          To the sources
        </Link>
      </Empty>
    )
  }
  return (
    <>
      <BulkVisibility
        base={base.data}
        filter={filter}
        total={total}
        isFinding={[documents, counts].some(({ isPlaceholderData }) => isPlaceholderData)}
        chosen={[...chosen]}
        says={`${count(total)} ${total === 1 ? 'document' : 'documents'}: ${count(counts.data?.public ?? 0)} for everyone, ${count(counts.data?.restricted ?? 0)} for members`}
        onDone={() => setChosen(new Set())}
      />
      <VirtualTable
        // Another filter begins at the top.
        key={JSON.stringify([filter, search.sort])}
        label="Documents"
        rows={rows}
        total={total}
        keyOf={({ id }) => id}
        onNearEnd={readMore}
        columns={columnsOf(baseId, chosen, choose, rows)}
      />
    </>
  )
}

/** The pages that answers are based on. */
export function DocumentsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/documents' })
  const search = useSearch({ from: '/kb/$baseId/documents' })
  const navigate = useNavigate({ from: '/kb/$baseId/documents' })
  return (
    <Page title="Documents" lead="The pages that answers are based on, as they were last read.">
      <Filters
        baseId={baseId}
        search={search}
        onChange={(change) =>
          void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })
        }
      />
      <Found baseId={baseId} search={search} />
    </Page>
  )
}
