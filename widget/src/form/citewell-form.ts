import type { DeflectionDone } from '@citewell/sdk'
import type * as providerCheck from '../captcha/provider-check.ts'
import type * as otherWords from './other-form-words.ts'
import { chunk, FOLDER } from '../chunks/built-in.ts'
import { loadChunk, serviceOf } from '../chunks/load-chunk.ts'
import { createService, type Service } from './ask-service.ts'
import { find, readText, writeField, type FormText } from './form-fields.ts'
import { createFormView, type Renderer } from './form-view.ts'
import style from './form.css?inline'
import { formLanguage, formWords } from './form-words.ts'
import { closest, holdActions, type HeldAction } from './held-action.ts'
import { transcriptOf } from './transcript.ts'

/** The service may take this long; then the request is sent as if nothing had been asked. */
const MOST_MS = 8_000

const folder = serviceOf(import.meta.url) + FOLDER

const loadWords = () => loadChunk<typeof otherWords>(folder, chunk('form-words'))
const loadProviderCheck = () => loadChunk<typeof providerCheck>(folder, chunk('provider-check'))
const loadRenderer = () => loadChunk<Renderer>(folder, chunk('markdown'))

/** A question on its way. */
interface Asking {
  text: string
  held: HeldAction
  stop: AbortController
}

/**
 * `<citewell-form>`: offers an answer before a support form is sent. Whatever fails, the form is sent as if this element were not there, and
 * exactly once. Nothing of an answer is visible before the service has said that it may be shown.
 */
export class CitewellForm extends HTMLElement {
  #service: Service | undefined
  #view: ReturnType<typeof createFormView> | undefined
  #leave: (() => void)[] = []
  #asking: Asking | undefined
  /** The text that was answered for already: the same text again goes through. */
  #settled: string | undefined
  /** Whether the field of the transcript holds that of an earlier answer. */
  #hasTranscript = false
  /** Of the answer that was shown, until its outcome is final. */
  #conversationId: string | undefined

  connectedCallback(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
    root.adoptedStyleSheets = [sheet]
    const wanted = [
      this.getAttribute('language') ?? '',
      document.documentElement.lang,
      ...navigator.languages,
    ]
    const language = formLanguage(wanted)
    this.#view = createFormView({ root, language, loadRenderer })
    void this.#speak(language)
    const openPlace = () => {
      const place = Object.assign(document.createElement('div'), { slot: 'check' })
      this.append(place)
      return place
    }
    this.#service = createService({ ...this.#serviceOptions(), language, loadProviderCheck, openPlace })
    if (!this.hasAttribute('knowledge-base-id')) {
      console.warn('Citewell: <citewell-form> needs knowledge-base-id. The form is sent without answers.')
      return
    }
    const stopHolding = holdActions({
      isForm: (target): target is HTMLFormElement =>
        target instanceof HTMLFormElement && target === this.#form(),
      currentForm: () => this.#form(),
      askOn: this.getAttribute('ask-on') ?? undefined,
      onAction: (form, held) => this.#onAction(form, held),
    })
    const onFocus = ({ target }: Event) => {
      if (target instanceof Node && this.#form()?.contains(target) === true)
        this.#service?.prepare().catch(() => undefined)
    }
    const onClick = ({ target }: Event) => {
      const sent = this.getAttribute('submitted-on')
      if (sent !== null && target instanceof Element && closest(target, sent) !== undefined)
        this.#tell('submitted')
    }
    // A page that comes back from the history begins anew.
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) this.#reset()
    }
    document.addEventListener('focusin', onFocus)
    document.addEventListener('click', onClick, true)
    window.addEventListener('pageshow', onShow)
    this.#leave = [
      stopHolding,
      () => document.removeEventListener('focusin', onFocus),
      () => document.removeEventListener('click', onClick, true),
      () => window.removeEventListener('pageshow', onShow),
    ]
  }

  async #speak(language: string): Promise<void> {
    if (language === 'en') return
    const words = await loadWords().catch(() => undefined)
    this.#view?.speak(formWords(words?.OTHER_WORDS[language]))
  }

  disconnectedCallback(): void {
    for (const leave of this.#leave.splice(0)) leave()
    // The page took this element away while a request waited: the request must not wait for it.
    const held = this.#asking?.held
    this.#reset()
    held?.repeat()
  }

  #serviceOptions() {
    const attribute = (name: string) => this.getAttribute(name) ?? undefined
    const groups = attribute('source-group-ids')
      ?.split(',')
      .map((id) => id.trim())
      .filter(Boolean)
    return {
      endpoint: (attribute('endpoint') ?? new URL('../../', folder).href).replace(/\/+$/, ''),
      knowledgeBaseId: attribute('knowledge-base-id') ?? '',
      clientKey: attribute('client-key'),
      formId: attribute('form-id'),
      groupIds: groups?.length ? groups : undefined,
      userId: attribute('user-id'),
      userEmail: attribute('user-email'),
    }
  }

  #form(): HTMLFormElement | undefined {
    const named = find(undefined, this.getAttribute('for')) ?? this.closest('form')
    return named instanceof HTMLFormElement ? named : undefined
  }

  /** Decides whether something the reader did waits for an answer. Whatever goes wrong here, it does not. */
  #onAction(form: HTMLFormElement | undefined, held: HeldAction): boolean {
    try {
      // A second press while the first waits.
      if (this.#asking !== undefined) return true
      const root = form ?? this.#form()
      const said = readText(root, this.getAttribute('subject'), this.getAttribute('body'))
      const text = JSON.stringify(said)
      const isNew = said.body !== '' && text !== this.#settled
      if (!isNew || !navigator.onLine) {
        this.#tell('submitted')
        this.#view?.hide()
        return false
      }
      this.#conversationId = undefined
      if (this.#hasTranscript) writeField(find(root, this.getAttribute('transcript')), '')
      this.#hasTranscript = false
      this.#asking = { text, held, stop: new AbortController() }
      void this.#ask(this.#asking, said, root)
      return true
    } catch (error) {
      console.warn('Citewell: the form is sent without an answer.', error)
      this.#asking = undefined
      return false
    }
  }

  async #ask(asking: Asking, said: FormText, root: ParentNode | undefined): Promise<void> {
    const begun = performance.now()
    const isCurrent = () => this.#asking === asking
    let done: DeflectionDone | undefined
    const timer = setTimeout(() => asking.stop.abort(), MOST_MS)
    try {
      const looking = this.#view?.looking(() => asking.stop.abort())
      const pages = (titles: string[]) => isCurrent() && looking?.pages(titles)
      const answer = await withAbort(
        this.#service?.ask(said, asking.stop.signal, pages) ?? Promise.reject(new Error('no service')),
        asking.stop.signal,
      )
      done = answer
      if (isCurrent() && answer.answered) {
        await withAbort(this.#offer(asking, said, answer, root), asking.stop.signal)
        this.#asking = undefined
      }
    } catch (error) {
      done = undefined
      if (!asking.stop.signal.aborted) console.warn('Citewell: the form is sent without an answer.', error)
    } finally {
      clearTimeout(timer)
    }
    if (done !== undefined) {
      const { answered, skippedReason, conversationId } = done
      const ms = Math.round(performance.now() - begun)
      this.#announce('deflect', {
        answered,
        skipped_reason: skippedReason,
        conversation_id: conversationId,
        ms,
      })
    }
    if (!isCurrent()) return
    // Nothing to show: the form is sent.
    this.#conversationId = done?.conversationId
    this.#release(asking.held, asking.text)
  }

  /** Shows an answer, with two ways on that are equally easy. */
  async #offer(asking: Asking, said: FormText, done: DeflectionDone, root: ParentNode | undefined) {
    const { held, text } = asking
    const send = () => this.#release(held, text)
    const isWanted = () => this.#asking === asking
    await this.#view?.answer(done, this.hasAttribute('ask-on'), {
      isWanted,
      solved: () => {
        this.#tell('deflected')
        this.#view?.thanks(send)
      },
      send,
    })
    if (!isWanted()) return
    this.#settled = text
    this.#conversationId = done.conversationId
    this.#hasTranscript = true
    writeField(find(root, this.getAttribute('transcript')), transcriptOf(said, done))
  }

  /** Does what was held, once. The same text is not asked again. */
  #release(held: HeldAction, text: string): void {
    this.#settled = text
    this.#asking = undefined
    this.#view?.hide()
    if (!this.hasAttribute('submitted-on')) this.#tell('submitted')
    held.repeat()
  }

  #tell(outcome: 'deflected' | 'submitted'): void {
    const conversationId = this.#conversationId
    if (conversationId === undefined) return
    // After "solved" the request may still be sent, and the last outcome counts.
    if (outcome === 'submitted') this.#conversationId = undefined
    this.#service?.tell(conversationId, outcome)
    this.#announce('outcome', { outcome, conversation_id: conversationId })
  }

  /** Metadata only: never the text of a form or an answer. */
  #announce(type: 'deflect' | 'outcome', detail: Record<string, unknown>): void {
    this.dispatchEvent(new CustomEvent(`citewell:${type}`, { detail, bubbles: true, composed: true }))
  }

  #reset(): void {
    this.#asking?.stop.abort()
    this.#asking = undefined
    this.#settled = undefined
    this.#conversationId = undefined
    this.#view?.hide()
  }
}

/** Rejects when the signal aborts, also if the promise never settles. */
const withAbort = async <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  await new Promise<Value>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
    if (signal.aborted) reject(new Error('aborted'))
    promise.then(resolve, reject)
  })
