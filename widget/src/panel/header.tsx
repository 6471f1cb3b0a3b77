import type { Tab } from '../options/widget-events.ts'
import { ConnectMenu } from './connect-menu.tsx'
import { IconButton } from './icons.tsx'
import { usePart, useStore } from './store.ts'
import { useSurroundings } from './surroundings.ts'

const TABS: readonly Tab[] = ['ask', 'search']

/** Ask and search, moved between by the arrow keys. */
function Tabs() {
  const { shared, place, emit } = useSurroundings()
  const { say } = useStore(shared)
  const { tab } = useStore(place)
  const change = (to: Tab, isFocused = true) => {
    place.set({ tab: to, ...(isFocused && { focused: place.get().focused + 1 }) })
    emit('tab', { tab: to })
  }
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    if (!/^Arrow(Left|Right)$/.test(event.key)) return
    const to = tab === 'ask' ? 'search' : 'ask'
    change(to, false)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab=${to}]`)?.focus()
  }
  return (
    <div class="tabs" role="tablist" aria-labelledby="citewell-title" onKeyDown={onKeyDown}>
      {TABS.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`citewell-tab-${name}`}
          data-tab={name}
          aria-selected={tab === name}
          aria-controls="citewell-view"
          tabIndex={tab === name ? 0 : -1}
          onClick={() => change(name)}
        >
          {say(name)}
        </button>
      ))}
    </div>
  )
}

/** Steps of the sidebar's width, in pixels. */
const STEP = 60

/** The name, the tabs, and what one can do with the whole panel. */
export function Header({ onResize }: { onResize(by: number): void }) {
  const { shared, place, conversation, config, close } = useSurroundings()
  const { say, options } = useStore(shared)
  const { isEmbedded, mode } = useStore(place)
  const hasTurns = usePart(conversation.store, ({ turns }) => turns.length > 0)
  const name = options.productName || config.knowledge_base_name
  return (
    <div class="header">
      {options.logo && <img class="logo" src={options.logo} alt="" />}
      <h2 id="citewell-title" dir="auto">
        {name}
      </h2>
      {options.search && <Tabs />}
      <span class="between" />
      <ConnectMenu />
      {hasTurns && (
        <IconButton
          icon="renew"
          label={say('newConversation')}
          onPress={() => {
            conversation.reset()
            place.set({ tab: 'ask', focused: place.get().focused + 1 })
          }}
        />
      )}
      {mode === 'sidebar' && !isEmbedded && (
        <span class="only-wide">
          <IconButton icon="wider" label={say('wider')} onPress={() => onResize(STEP)} />
          <IconButton icon="narrower" label={say('narrower')} onPress={() => onResize(-STEP)} />
        </span>
      )}
      {!isEmbedded && <IconButton icon="close" label={say('close')} onPress={close} />}
    </div>
  )
}
