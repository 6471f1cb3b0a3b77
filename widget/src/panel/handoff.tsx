import type { WidgetOptions } from '../options/widget-options.ts'
import { addressOf } from '../markdown/safe-link.ts'
import { startOf } from './start-of.ts'
import { useStore } from './store.ts'
import { useSurroundings } from './surroundings.ts'
import type { Turn } from './turn.ts'

/** Longest subject and longest text of an e-mail that programs take over from a link, in characters. */
const LONGEST_SUBJECT = 120
const LONGEST_MAIL = 1_500

function mailTo({ supportEmail }: WidgetOptions, turn: Turn | undefined): string | undefined {
  if (!/^[^\s@?&]+@[^\s@?&]+$/.test(supportEmail)) return undefined
  if (!turn) return `mailto:${supportEmail}`
  const subject = startOf(turn.question, LONGEST_SUBJECT)
  const body = startOf(`${turn.question}\n\n${turn.text}`, LONGEST_MAIL)
  return `mailto:${supportEmail}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
}

/** The way to people, if the page has one: always at the same place, and where an answer did not help. */
export function Handoff({ turn, look }: { turn?: Turn | undefined; look: 'button' | 'link' }) {
  const { shared, emit } = useSurroundings()
  const { say, options } = useStore(shared)
  const page = addressOf(options.supportUrl)
  const mail = mailTo(options, turn)
  const kind = look === 'button' ? 'button' : 'quiet-link'
  return (
    <>
      {page && (
        <a
          class={kind}
          href={page}
          target="_blank"
          rel="noopener"
          onClick={() => emit('handoff', { to: 'page' })}
        >
          {say('person')}
        </a>
      )}
      {mail && (
        <a class={kind} href={mail} onClick={() => emit('handoff', { to: 'email' })}>
          {say('mail')}
        </a>
      )}
    </>
  )
}
