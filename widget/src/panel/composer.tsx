import { useEffect, useRef } from 'preact/hooks'
import { LONGEST_QUESTION } from './conversation.ts'
import { IconButton } from './icons.tsx'
import { usePart, useStore } from './store.ts'
import { useSurroundings } from './surroundings.ts'

/** Where the reader writes. Enter sends, Shift+Enter begins a line, ↑ in the empty field brings the last question back. */
export function Composer() {
  const { shared, place, conversation, ask, prepare } = useSurroundings()
  const { say, options, isOffline } = useStore(shared)
  const { draft, quote, focused, tab, isOpen } = useStore(place)
  const hasTurns = usePart(conversation.store, ({ turns }) => turns.length > 0)
  const isAnswering = usePart(conversation.store, conversation.isAnswering)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (focused === place.get().handled || tab !== 'ask' || !isOpen) return
    place.set({ handled: focused })
    field.current?.focus()
  }, [focused, tab, isOpen])
  useEffect(() => {
    const area = field.current
    if (!area || CSS.supports('field-sizing', 'content')) return
    area.style.height = 'auto'
    area.style.height = `${Math.min(area.scrollHeight, 160)}px`
  }, [draft])

  const send = () => {
    if (draft.trim() === '' || isAnswering || isOffline) return
    ask(draft, 'composer')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // 229 is the key code of a key that an input method has taken; Safari sends Enter after the end of composing.
    // oxlint-disable-next-line typescript/no-deprecated
    if (event.isComposing || event.keyCode === 229) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    } else if (event.key === 'ArrowUp' && draft === '' && hasTurns) {
      event.preventDefault()
      place.set({ draft: conversation.store.get().turns.at(-1)?.question ?? '' })
    }
  }
  const placeholder = hasTurns ? say('followUpPlaceholder') : options.placeholder || say('askPlaceholder')
  return (
    <form
      part="composer"
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {quote !== '' && (
        <div class="quote-chip">
          <span class="quote-text" dir="auto">
            {say('quoted')}: “{quote}”
          </span>
          <IconButton icon="close" label={say('removeQuote')} onPress={() => place.set({ quote: '' })} />
        </div>
      )}
      <div class="composer-row">
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          maxLength={LONGEST_QUESTION}
          aria-label={placeholder}
          placeholder={placeholder}
          value={draft}
          enterkeyhint="send"
          onInput={(event) => place.set({ draft: event.currentTarget.value })}
          onKeyDown={onKeyDown}
          onFocus={() => prepare('chat')}
        />
        {isAnswering ? (
          <button
            type="button"
            class="icon-button send"
            aria-label={say('stop')}
            title={say('stop')}
            onClick={conversation.stop}
          >
            <span class="stop-square" />
          </button>
        ) : (
          <IconButton
            icon="send"
            class="send"
            label={say('send')}
            isDisabled={draft.trim() === '' || isOffline}
            onPress={send}
          />
        )}
      </div>
    </form>
  )
}
