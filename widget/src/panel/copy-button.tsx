import { useEffect, useRef, useState } from 'preact/hooks'
import { copyText } from './copy-text.ts'
import { Icon } from './icons.tsx'
import { useStore } from './store.ts'
import { useSurroundings } from './surroundings.ts'

/** Copies a text and says so, for two seconds on the button itself. */
export function CopyButton({ text, label, onCopied }: { text(): string; label: string; onCopied(): void }) {
  const { shared, announce } = useSurroundings()
  const { say } = useStore(shared)
  const [isCopied, setCopied] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const timer = isCopied ? setTimeout(() => setCopied(false), 2_000) : undefined
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    if (button.current === null || !(await copyText(text(), button.current))) return
    setCopied(true)
    announce(say('copied'))
    onCopied()
  }
  return (
    <button
      ref={button}
      type="button"
      class="icon-button"
      aria-label={label}
      title={isCopied ? say('copied') : label}
      onClick={() => void copy()}
    >
      <Icon name={isCopied ? 'done' : 'copy'} />
    </button>
  )
}
