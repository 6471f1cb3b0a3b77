import { useEffect, useRef, useState } from 'preact/hooks'
import { isWebAddress } from '../markdown/safe-link.ts'
import { copyText } from './copy-text.ts'
import { Icon } from './icons.tsx'
import { useStore } from './store.ts'
import { useSurroundings } from './surroundings.ts'
import type { ToolLink } from '../tools/tools.ts'

/** One row of the menu: copies, or opens the tool. */
function ToolRow({ link, label }: { link: ToolLink; label?: string }) {
  const { shared, emit, announce } = useSurroundings()
  const { say } = useStore(shared)
  const [isCopied, setCopied] = useState(false)
  const element = useRef<HTMLButtonElement>(null)
  const { tool, name, copies, opens } = link
  const tell = () => emit('mcp_copy', { tool })
  if (opens !== undefined)
    return (
      <a role="menuitem" tabIndex={-1} class="menu-row" href={opens} onClick={tell}>
        <span>{name}</span>
        <Icon name="link" />
      </a>
    )
  const copy = async () => {
    if (!element.current || !(await copyText(copies ?? '', element.current))) return
    setCopied(true)
    announce(say('copied'))
    tell()
  }
  return (
    <button
      ref={element}
      type="button"
      role="menuitem"
      tabIndex={-1}
      class="menu-row"
      onClick={() => void copy()}
    >
      <span>{label ?? name}</span>
      <span class="menu-done">{isCopied && say('copied')}</span>
      <Icon name={isCopied ? 'done' : 'copy'} />
    </button>
  )
}

/** The button "Use MCP" and the menu "Connect to AI Tools": both are names of the product, in every language. */
export function ConnectMenu() {
  const { config, shared, toolLinks } = useSurroundings()
  const { say, options } = useStore(shared)
  const [isOpen, setOpen] = useState(false)
  const [links, setLinks] = useState<readonly ToolLink[]>([])
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const rows = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  useEffect(() => {
    if (!isOpen) return
    toolLinks().then(setLinks, () => {})
    rows()[0]?.focus()
    const root = button.current?.getRootNode()
    const onPress = (event: Event) => {
      const at = event.target as Node
      if (!menu.current?.contains(at) && !button.current?.contains(at)) setOpen(false)
    }
    root?.addEventListener('pointerdown', onPress)
    return () => root?.removeEventListener('pointerdown', onPress)
  }, [isOpen])
  const { mcp_available: isAvailable, mcp_url: url, mcp_oauth: signsIn } = config
  if (!isAvailable || !options.mcpEnabled || url === undefined || !isWebAddress(url)) return null
  const onKeyDown = (event: KeyboardEvent) => {
    const all = rows()
    const at = all.findIndex((row) => row.matches(':focus'))
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      all[to % all.length]?.focus()
    } else if (event.key === 'Escape') {
      // The dialog would close as well.
      event.preventDefault()
      event.stopPropagation()
      close()
    } else if (event.key === 'Tab') setOpen(false)
  }
  return (
    <div class="menu-frame">
      <button
        ref={button}
        type="button"
        class="header-button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="tools" />
        <span>Use MCP</span>
      </button>
      {isOpen && (
        <div ref={menu} class="menu tools" role="menu" aria-label="Connect to AI Tools" onKeyDown={onKeyDown}>
          <p class="menu-title" role="presentation">
            Connect to AI Tools
          </p>
          <p class="menu-hint" role="presentation">
            {say('connectHint')} {signsIn && say('signIn')}
          </p>
          <ToolRow link={{ tool: 'address', name: '', copies: url }} label={say('copyAddress')} />
          {links.map((link) => (
            <ToolRow key={link.tool} link={link} />
          ))}
        </div>
      )}
    </div>
  )
}
