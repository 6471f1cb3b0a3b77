import type { Requirement } from '../requirement.ts'

const lives = 'service/src/channels/captcha/captcha.ts'
const evaluation = 'service/src/channels/captcha/evaluate-site-verify.ts'
const endpoints = 'contract/src/public-endpoints.ts'
const ofWidgets = 'contract/src/widget-config.ts'

const required = (what: string, file = endpoints) =>
  ({
    says: `Where CAPTCHA is on, a public key sends a token with ${what}.`,
    spec: 'interface#authentication',
    lives: file,
  }) as const

const never = (what: string, file = endpoints) =>
  ({ says: `${what} needs no CAPTCHA token.`, spec: 'interface#authentication', lives: file }) as const

export const CAPTCHA = {
  'captcha.chat': required('a question'),
  'captcha.thread-chat': required('a follow-up on a thread'),
  'captcha.search': required('a search'),
  'captcha.feedback': required('a rating'),
  'captcha.form-deflect': required('a form-deflect request', 'contract/src/form-deflectors.ts'),
  'captcha.never.widget-config': never('widget-config', ofWidgets),
  'captcha.never.saved-widget-config': never('The configuration of a saved widget', ofWidgets),
  'captcha.never.suggested-questions': never('suggested-questions'),
  'captcha.never.related': never('related'),
  'captcha.never.withdraw-feedback': never('Withdrawing a rating'),
  'captcha.never.secret-pair': {
    says: 'A secret pair never needs a CAPTCHA token.',
    spec: 'interface#client-key',
    lives,
  },
  'captcha.missing': {
    says: 'Without a token, what needs one is refused with 403.',
    spec: 'interface#chat-request-body',
    lives,
  },
  'captcha.codes': {
    says: 'A missing token is CAPTCHA_REQUIRED, one that is not accepted CAPTCHA_FAILED, both 403.',
    spec: 'open-items#error-body',
    lives,
  },
  'captcha.header': {
    says: 'The token travels in the header X-Captcha-Token.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/channels/public-api/public-caller.ts',
  },
  'captcha.fresh-token': {
    says: 'Each gated request needs a token of its own: one that was used is refused, by every process.',
    spec: 'interface#authentication',
    lives: 'service/src/channels/captcha/captcha-store.ts',
  },
  'captcha.score-based': {
    says: 'A token carries a score, and one below the least score that is set is refused.',
    spec: 'interface#widget-config-response',
    lives: evaluation,
  },
  'captcha.action': {
    says: 'A token fetched for one action is refused at another.',
    spec: 'security#s20',
    lives: evaluation,
  },
  'captcha.hostname': {
    says: 'A token fetched on a page of another host than those set is refused.',
    spec: 'security#s20',
    lives: evaluation,
  },
  'captcha.age': {
    says: 'A token is refused once it is a minute older than its provider says that it lasts: clocks may differ by that much.',
    spec: 'security#s20',
    lives: evaluation,
  },
  'captcha.provider-down': {
    says: 'While the provider is down, slow (3 s) or says nonsense, requests are refused as CAPTCHA_FAILED, which may be tried again, unless it is set that they pass.',
    spec: 'security#s20',
    lives,
  },
  'captcha.providers': {
    says: 'reCAPTCHA v3, hCaptcha and Turnstile are asked by their own verify calls.',
    spec: 'interface#authentication',
    lives: 'service/src/channels/captcha/site-verify.ts',
  },
  'captcha.self-hosted': {
    says: 'A self-hosted proof of work serves as CAPTCHA without any outside service.',
    spec: 'interface#authentication',
    lives: 'service/src/channels/captcha/proof-of-work.ts',
  },
  'captcha.cors': {
    says: 'A page of an allowed origin may send the header of the token.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/platform/http/cors.ts',
  },
} as const satisfies Record<string, Requirement>
