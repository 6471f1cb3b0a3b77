import { useQueries, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession } from '../api/session.ts'
import { useSourceActions } from '../api/sources.ts'
import { copyText } from '../ui/copy-text.ts'
import { curlOf } from '../ui/curl.ts'
import { chooseTheme } from '../ui/theme.ts'
import { useToasts } from '../ui/toast.tsx'
import { PARTS } from './base-parts.ts'
import type { Entry } from './palette-entries.ts'
import { recentScreens } from './recent.ts'

/** Milliseconds after the last key before documents are looked for. */
const PATIENCE_MS = 70

/** The text, a moment after it was typed last. */
function useSettled(text: string): string {
  const [settled, settle] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => settle(text), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

const baseOf = (address: string): string | undefined => /^\/kb\/([^/?#]+)/.exec(address)?.[1]

/** The knowledge bases of all workspaces, and the one that is meant: that of the screen, else that of the last screen, else the only one. */
function useBases() {
  const { api, me } = useSession()
  const router = useRouter()
  const bases = useQueries({
    queries: me.workspaces.map(({ id }) => ({
      queryKey: ['knowledge-bases', id],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        await Array.fromAsync(api.listKnowledgeBases({ workspace_id: id, limit: 100 }, { signal }).all()),
      staleTime: 60_000,
    })),
  }).flatMap(({ data }) => data ?? [])
  const ofScreen = baseOf(router.state.location.pathname)
  const last = recentScreens().flatMap(({ href }) => baseOf(href) ?? [])[0]
  const meant =
    bases.find(({ id }) => id === (ofScreen ?? last)) ?? (bases.length === 1 ? bases[0] : undefined)
  return {
    bases,
    baseId: ofScreen ?? meant?.id,
    note: ofScreen === undefined ? meant?.name : undefined,
    isToBeRead: meant?.status === 'active' && meant.your_permissions.includes('config'),
  }
}

type Bases = ReturnType<typeof useBases>

/** What was read of the service before or is read now: bases, sources of the one that is meant, documents of it that fit. */
function useRecords({ bases, baseId }: Bases, typed: string): Entry[] {
  const { api } = useSession()
  const sources = useQuery({
    queryKey: ['sources', baseId],
    queryFn: async ({ signal }) =>
      await Array.fromAsync(api.listSources(baseId ?? '', { limit: 100 }, { signal }).all()),
    enabled: baseId !== undefined,
    staleTime: 60_000,
  })
  const q = useSettled(typed.trim())
  const documents = useQuery({
    queryKey: ['palette-documents', baseId, q],
    queryFn: ({ signal }) => api.listDocuments(baseId ?? '', { q: q.slice(0, 200), limit: 6 }, { signal }),
    enabled: baseId !== undefined && q.length > 1,
    placeholderData: (before) => before,
  })
  return [
    ...bases.map(({ id, name, status }) => ({
      id: `base ${id}`,
      kind: 'Knowledge bases',
      name,
      note: status === 'archived' ? 'archived' : undefined,
      href: `/kb/${id}`,
    })),
    ...(sources.data ?? []).map(({ id, name, type }) => ({
      id: `source ${id}`,
      kind: 'Sources',
      name,
      note: type,
      href: `/kb/${baseId}/documents?source=${id}`,
    })),
    ...(q.length > 1 ? (documents.data?.data ?? []) : []).map(({ id, title, url }) => ({
      id: `document ${id}`,
      kind: 'Documents',
      name: title,
      note: url,
      href: `/kb/${baseId}/documents/${id}`,
    })),
  ]
}

/** The screens that can be gone to from here. */
function useScreens({ baseId, note }: Bases): Entry[] {
  const { me } = useSession()
  const ofBase = PARTS.flatMap(({ links }) =>
    links.map(([to, name]) => ({
      id: to,
      kind: 'Screens',
      name,
      note,
      href: to.replace('$baseId', baseId ?? ''),
    })),
  )
  const settings = ['Answers', 'Privacy', 'Access', 'Danger'].map((part) => ({
    id: `settings ${part}`,
    kind: 'Screens',
    name: `Settings: ${part === 'Danger' ? 'Danger Zone' : part}`,
    note,
    href: `/kb/${baseId}/settings/${part.toLowerCase()}`,
  }))
  const ofWorkspaces = me.workspaces.flatMap(({ id, name }) =>
    [
      ['', 'Knowledge bases'],
      ['/members', 'Members'],
      ['/activity', 'Activity log'],
      ['/plan', 'Plan and usage'],
      ['/settings', 'Workspace settings'],
    ].map(([path, screen = '']) => ({
      id: `/w/${id}${path}`,
      kind: me.workspaces.length > 1 ? `Workspace ${name}` : 'Screens',
      name: screen,
      note: name,
      href: `/w/${id}${path}`,
    })),
  )
  return [
    ...(baseId === undefined ? [] : [...ofBase, ...settings]),
    ...ofWorkspaces,
    { id: '/me', kind: 'Screens', name: 'Your settings', href: '/me' },
  ]
}

/** What can be done from everywhere. */
function useActions({ baseId, isToBeRead }: Bases, onSheet: () => void): Entry[] {
  const { changes } = useSession()
  const { syncAll } = useSourceActions(baseId ?? '')
  const { tell, tellFault } = useToasts()
  const [change] = changes
  async function copyChange(): Promise<void> {
    if (change === undefined) return
    const { method, path, body } = change
    const request = { method, path, ...(body !== undefined && { body: JSON.parse(body) as unknown }) }
    const isCopied = await copyText(curlOf(request, location.origin), document.body)
    tell(
      isCopied
        ? 'Copied. Set CITEWELL_TOKEN to an access token before you run it.'
        : 'This browser does not allow copying.',
    )
  }
  const acts: (readonly [name: string, act: () => void] | undefined)[] = [
    baseId === undefined || !isToBeRead ? undefined : ['Read all sources again', () => syncAll.mutate()],
    change === undefined
      ? undefined
      : ['Copy the last change as curl', () => void copyChange().catch(tellFault)],
    ['Show all keys', onSheet],
    ['Colours: light', () => chooseTheme('light')],
    ['Colours: dark', () => chooseTheme('dark')],
    ['Colours: match the system', () => chooseTheme('system')],
    ['Open the API reference', () => location.assign('/docs')],
  ]
  return acts.flatMap((one) =>
    one === undefined ? [] : [{ id: `act ${one[0]}`, kind: 'Actions', name: one[0], act: one[1] }],
  )
}

/** Everything that the palette finds, kind after kind. */
export function usePaletteEntries(typed: string, onSheet: () => void): Entry[] {
  const router = useRouter()
  const bases = useBases()
  const recent = recentScreens()
    .filter(({ href }) => href !== router.state.location.href)
    .map(({ href, title }) => ({ id: `recent ${href}`, kind: 'Recent', name: title, href }))
  return [
    ...(typed.trim() === '' ? recent : []),
    ...useScreens(bases),
    ...useRecords(bases, typed),
    ...useActions(bases, onSheet),
  ]
}
