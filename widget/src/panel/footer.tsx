import { addressOf } from '../markdown/safe-link.ts'
import { Handoff } from './handoff.tsx'
import { usePart, useStore } from './store.ts'
import { isOpen } from './turn.ts'
import { useSurroundings } from './surroundings.ts'

/** Where the branding line leads. */
const PRODUCT = { name: 'Citewell', address: 'https://github.com/citewell/citewell' }

/** What the owner says below everything: disclaimer, privacy, people, and who answers. */
export function Footer() {
  const { shared, config, conversation } = useSurroundings()
  const { say, options } = useStore(shared)
  // An answer that is still written would change the link with each word.
  const turn = usePart(conversation.store, ({ turns }) => turns.findLast((one) => !isOpen(one)))
  const hidesBranding = options.hideBranding && config.hide_branding_allowed
  const privacy = addressOf(options.privacyUrl)
  return (
    <div class="footer">
      {options.disclaimer && (
        <span class="disclaimer" dir="auto">
          {options.disclaimer}
        </span>
      )}
      {privacy && (
        <a class="quiet-link" href={privacy} target="_blank" rel="noopener">
          {say('privacy')}
        </a>
      )}
      <Handoff turn={turn} look="link" />
      <span class="between" />
      {!hidesBranding && (
        <a class="quiet-link branding" href={PRODUCT.address} target="_blank" rel="noopener">
          {say('poweredBy', { name: PRODUCT.name })}
        </a>
      )}
    </div>
  )
}
