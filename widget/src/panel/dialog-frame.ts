import type { WidgetOptions } from '../options/widget-options.ts'

/** Narrower than this, in pixels, every mode but `embedded` is a sheet over the whole screen. */
const narrow = matchMedia('(max-width: 639px)')

/** Width of the sidebar in pixels. */
const SIDEBAR = { least: 360, most: 580, first: 420 }

/** Keeps the page behind a modal dialog where it is, without a jump from its scroll bar. */
function lockScroll(): () => void {
  const { style } = document.documentElement
  const before = [style.overflow, style.scrollbarGutter] as const
  if (innerWidth > document.documentElement.clientWidth) style.scrollbarGutter = 'stable'
  style.overflow = 'hidden'
  return () => {
    ;[style.overflow, style.scrollbarGutter] = before
  }
}

/** The dialog around the panel: over the page, beside it, or above the launcher. */
export function createDialogFrame(root: ShadowRoot, options: () => WidgetOptions) {
  const dialog = document.createElement('dialog')
  dialog.setAttribute('part', 'panel')
  dialog.setAttribute('aria-labelledby', 'citewell-title')
  dialog.className = 'panel'
  root.append(dialog)
  let unlock: (() => void) | undefined
  let opener: HTMLElement | null = null
  let width = SIDEBAR.first

  const pushPage = (isOpen: boolean) => {
    const push = isOpen && dialog.classList.contains('sidebar') && !dialog.classList.contains('sheet')
    document.documentElement.style.setProperty('--citewell-push', push ? `${width}px` : '')
  }
  const setWidth = (wanted: number) => {
    width = Math.max(SIDEBAR.least, Math.min(SIDEBAR.most, wanted))
    dialog.style.setProperty('--width', `${width}px`)
    pushPage(dialog.open)
  }
  // The inner edge of the sidebar can be dragged; the two buttons do the same for those who cannot drag.
  const edge = document.createElement('div')
  edge.className = 'edge'
  edge.addEventListener('pointerdown', (event) => {
    event.preventDefault()
    edge.setPointerCapture(event.pointerId)
  })
  edge.addEventListener('pointermove', ({ pointerId, clientX }) => {
    if (!edge.hasPointerCapture(pointerId)) return
    const { left, right } = dialog.getBoundingClientRect()
    setWidth(left > 0 ? right - clientX : clientX - left)
  })
  dialog.append(edge)

  return {
    dialog,
    resize: (by: number) => setWidth(width + by),
    open: (mode: WidgetOptions['mode']) => {
      const isSheet = narrow.matches
      const isModal = isSheet || !['sidebar', 'bubble'].includes(mode)
      const isShown = dialog.open && dialog.classList.contains(mode)
      if (isShown) return
      if (dialog.open) dialog.close()
      unlock?.()
      unlock = undefined
      dialog.className = [
        'panel',
        mode,
        isModal ? 'modal-kind' : 'beside',
        isSheet && 'sheet',
        options().position,
      ]
        .filter(Boolean)
        .join(' ')
      if (isModal) {
        unlock = lockScroll()
        dialog.showModal()
      } else dialog.show()
      pushPage(true)
    },
    close: () => {
      if (!dialog.open) return
      dialog.close()
      unlock?.()
      unlock = undefined
      pushPage(false)
      // The opener may be inside another shadow root: focusing its host is enough there.
      if (opener?.isConnected) opener.focus({ preventScroll: true })
      opener = null
    },
    /** Where the focus goes back to. */
    setOpener: (element: HTMLElement | null) => {
      if (!dialog.open) opener = element
    },
    destroy: () => {
      unlock?.()
      pushPage(false)
      dialog.remove()
    },
  }
}
