import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { PassageText } from '../../ui/passage-text.tsx'
import { Banner, Status } from '../../ui/status.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import classes from './document-page.module.css'

/** A document and its passages, as they are searched. */
export function DocumentPage() {
  const { baseId, documentId } = useParams({ from: '/kb/$baseId/documents/$documentId' })
  const api = useApi()
  const client = useQueryClient()
  const { tell, tellFault } = useToasts()
  const navigate = useNavigate()
  const [isAsked, setAsked] = useState(false)
  const base = useKnowledgeBase(baseId)
  const document = useQuery({
    queryKey: ['document', documentId],
    queryFn: ({ signal }) => api.getDocument(documentId, { signal }),
  })
  const readListsAgain = () =>
    Promise.all(
      ['documents', 'document-counts', 'sources'].map((list) =>
        client.invalidateQueries({ queryKey: [list, baseId] }),
      ),
    )
  const show = useMutation({
    mutationFn: (visibility: 'public' | 'restricted') => api.updateDocument(documentId, { visibility }),
    onSuccess: async (changed) => {
      client.setQueryData(['document', documentId], changed)
      await readListsAgain()
      tell(changed.visibility === 'public' ? 'Everyone may read it now.' : 'Only members may read it now.')
    },
    onError: tellFault,
  })
  const remove = useMutation({
    mutationFn: () => api.deleteDocument(documentId),
    onSuccess: async () => {
      tell('The document is deleted.')
      await navigate({ to: '/kb/$baseId/documents', params: { baseId } })
      await readListsAgain()
    },
    onError: tellFault,
  })
  const visibility = document.data?.visibility
  const mayNot =
    base.data?.your_permissions.includes('config') === true && base.data.status === 'active'
      ? undefined
      : 'This needs the permission Config on an active knowledge base.'
  const blocked =
    base.data?.type === 'internal' ? 'All documents of an internal knowledge base are restricted.' : mayNot
  return (
    <Page
      title={document.data?.title ?? 'Document'}
      lead={
        <Link to="/kb/$baseId/documents" params={{ baseId }}>
          All documents
        </Link>
      }
      actions={
        visibility === undefined ? undefined : (
          <>
            <Button
              blocked={blocked}
              disabled={show.isPending}
              onClick={() => show.mutate(visibility === 'public' ? 'restricted' : 'public')}
            >
              {visibility === 'public' ? 'Restrict to members' : 'Show to everyone'}
            </Button>
            <Button blocked={mayNot} disabled={remove.isPending} onClick={() => setAsked(true)}>
              Delete
            </Button>
          </>
        )
      }
    >
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title="Delete this document?"
        action="Delete the document"
        onConfirm={() => remove.mutate()}
      >
        <p>
          It disappears from answers at once. An uploaded file is deleted with it. A page that a source reads
          comes back with the next sync, unless the source leaves it out.
        </p>
      </ConfirmDialog>
      <Loaded query={document}>
        {({ url, chunks, withheld, visibility: current, left_out: leftOut }) => (
          <>
            <p className={classes['facts']}>
              {current === 'public' ? (
                <Status tone="ok">Everyone may read it</Status>
              ) : (
                <Status tone="quiet">Only members may read it</Status>
              )}{' '}
              <a href={url}>{url}</a>
            </p>
            {leftOut.map((limit) => (
              <Banner key={limit} tone="warn">
                {limit}
              </Banner>
            ))}
            {withheld && <p>Its text is hidden: you need the permission Chat to read it.</p>}
            {chunks.map(({ id, heading_path: path, anchor, text }) => (
              <Card key={id}>
                <p className={classes['path']}>
                  {path.join(' › ')} {anchor !== null && <code>#{anchor}</code>}
                </p>
                <PassageText text={text} />
              </Card>
            ))}
          </>
        )}
      </Loaded>
    </Page>
  )
}
