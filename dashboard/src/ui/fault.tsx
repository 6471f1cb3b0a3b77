import { CitewellError } from '@citewell/sdk/management'
import { Button } from './button.tsx'
import { Banner } from './status.tsx'
import { isSomethingTyped } from './typed-text.ts'

/** Whether the id in the address of the screen is none: a link that was cut, or a typing error. */
const isNoAddress = (error: CitewellError): boolean =>
  error.status === 400 && error.details?.length === 1 && error.details[0]?.path === 'id'

/** What a person is told of an error: the sentence of the service, which says what to do, where it is meant for people. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error instanceof CitewellError)) return error.message
  const kept = isSomethingTyped() ? ' What you typed is still here.' : ''
  if (error.code === 'UNREACHABLE') return `The service cannot be reached.${kept}`
  if (error.status === 401)
    return `You are signed out.${kept} Sign in in another tab, come back, and try again.`
  if (isNoAddress(error)) return 'There is nothing at this address. It may be cut short or mistyped.'
  return error.message
}

/** Whether the same may be answered otherwise in a moment. What was refused stays refused. */
const mayHelp = (error: unknown): boolean => !(error instanceof CitewellError) || error.retryable

/** An error on a screen, with the way to try again where that may help. */
export function Fault({
  error,
  nameOf,
  onRetry,
}: {
  error: unknown
  /** The label of a field, by its path in the request. */
  nameOf?: ((path: string) => string | undefined) | undefined
  onRetry?: (() => void) | undefined
}) {
  const facts = error instanceof CitewellError ? error : undefined
  const details = facts === undefined || isNoAddress(facts) ? [] : (facts.details ?? [])
  const sentence = sentenceOf(error)
  // The sentence of a request with wrong fields is that of the first of them.
  const isInDetails = details.some(({ message }) => sentence.includes(message))
  return (
    <Banner
      tone="danger"
      action={
        onRetry === undefined || !mayHelp(error) ? undefined : <Button onClick={onRetry}>Try again</Button>
      }
    >
      {isInDetails ? undefined : sentence}
      {details.map(({ path, message }) => {
        const name = nameOf?.(path)
        return (
          <p key={`${path} ${message}`}>
            {name === undefined ? <code>{path}</code> : <strong>{name}</strong>} {message}
          </p>
        )
      })}
      {facts?.requestId !== undefined && (
        <details>
          <summary>Details</summary>
          <code>
            {facts.code} {facts.requestId}
          </code>
        </details>
      )}
    </Banner>
  )
}
