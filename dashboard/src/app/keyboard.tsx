import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { areSingleKeysOn } from '../ui/single-keys.ts'
import { rememberScreen } from './recent.ts'
import { GO_TO, isApple, isGoKey } from './shortcuts.ts'
import { isTypingField } from './typing-field.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const ShortcutSheet = lazy(async () => ({ default: (await import('./shortcut-sheet.tsx')).ShortcutSheet }))

/** Milliseconds in which the second letter follows G. */
const SECOND_KEY_MS = 1_500

/** The event that opens the palette, for buttons. */
export const OPEN_PALETTE = 'citewell-open-palette'

/** Moves the focus to the link of the next or previous row of the list on the screen. */
function moveInRows(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main tbody tr:not([aria-hidden])')]
  const links = rows.flatMap((row) => row.querySelector<HTMLElement>('a[href], button') ?? [])
  const row = document.activeElement?.closest('tr')
  const at = row === null || row === undefined ? -1 : links.findIndex((link) => row.contains(link))
  const next = links[at === -1 ? (step === 1 ? 0 : links.length - 1) : at + step]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

/** The knowledge base of the screen, from its address. */
const openBase = (): string | undefined => /^\/kb\/([^/]+)/.exec(location.pathname)?.[1]

const isPaletteKey = ({ key, altKey, shiftKey, metaKey, ctrlKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && !altKey && !shiftKey && (isApple() ? metaKey : ctrlKey)

const isInPalette = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-palette]') !== null

/** What stands in the palette after a key that was pressed before it had the focus; undefined: the key is none of text. */
function typedBefore(typed: string, key: string): string | undefined {
  if (key === 'Backspace') return typed.slice(0, -1)
  return key.length === 1 ? typed + key : undefined
}

/** The keys of the app: the palette, and single letters outside of fields. They are listed by `?`. */
export function Keyboard() {
  const router = useRouter()
  const [shown, show] = useState<'palette' | 'sheet'>()
  const [typed, type] = useState('')
  const isPaletteShown = useRef(false)
  useEffect(() => {
    isPaletteShown.current = shown === 'palette'
  }, [shown])
  const waitingSince = useRef(Number.NEGATIVE_INFINITY)

  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ fromLocation, hrefChanged }) => {
        if (fromLocation === undefined || !hrefChanged) return
        rememberScreen({ href: fromLocation.href, title: document.title.replace(/ · Citewell$/, '') })
      }),
    [router],
  )

  useEffect(() => {
    function goTo(key: string): boolean {
      const base = openBase()
      if (base === undefined || !isGoKey(key)) return false
      const screen = GO_TO[key]
      const isThere = `/kb/$baseId${screen.path}` in router.routesById || screen.path === ''
      const path = !isThere && 'otherwise' in screen ? screen.otherwise : screen.path
      void router.navigate({ href: `/kb/${base}${path}` })
      return true
    }
    /** Whether the key did something. */
    function onSingleKey(key: string): boolean {
      if (performance.now() - waitingSince.current < SECOND_KEY_MS) {
        waitingSince.current = Number.NEGATIVE_INFINITY
        return goTo(key)
      }
      switch (key) {
        case 'g':
          waitingSince.current = performance.now()
          return false
        case '?':
          show('sheet')
          return true
        case '/': {
          const filter = document.querySelector<HTMLElement>('[data-filter]')
          filter?.focus()
          return filter !== null
        }
        case 'j':
        case 'k':
          moveInRows(key === 'j' ? 1 : -1)
          return true
        default:
          return false
      }
    }
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing) return
      const key = event.key.toLowerCase()
      if (isPaletteKey(event)) {
        event.preventDefault()
        type('')
        return show((now) => (now === 'palette' ? undefined : 'palette'))
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
      if (isPaletteShown.current) return
      if (isTypingField(event.target) || document.querySelector('[role=dialog]') !== null) return
      if (areSingleKeysOn() && onSingleKey(key)) event.preventDefault()
    }
    /**
     * What is typed before the palette has been loaded and has the focus is meant for it, and reaches neither the field nor the dialog that
     * has the focus still.
     */
    function holdForPalette(event: KeyboardEvent): void {
      const { key, ctrlKey, metaKey, altKey } = event
      if (!isPaletteShown.current || ctrlKey || metaKey || altKey || isInPalette(event.target)) return
      if (key === 'Escape') show(undefined)
      else if (key !== 'Enter' && typedBefore('', key) === undefined) return
      else type((before) => typedBefore(before, key) ?? before)
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    const open = () => {
      type('')
      show('palette')
    }
    document.addEventListener('keydown', holdForPalette, true)
    document.addEventListener('keydown', onKeyDown)
    document.addEventListener(OPEN_PALETTE, open)
    return () => {
      document.removeEventListener('keydown', holdForPalette, true)
      document.removeEventListener('keydown', onKeyDown)
      document.removeEventListener(OPEN_PALETTE, open)
    }
  }, [router])

  // What closes last may not close what was opened from it.
  const close = (which: 'palette' | 'sheet') => () => show((now) => (now === which ? undefined : now))
  return (
    <Suspense fallback={null}>
      {shown === 'palette' && (
        <Palette typed={typed} onType={type} onClose={close('palette')} onSheet={() => show('sheet')} />
      )}
      {shown === 'sheet' && <ShortcutSheet onClose={close('sheet')} />}
    </Suspense>
  )
}
