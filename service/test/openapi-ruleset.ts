import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import owaspRules from '@stoplight/spectral-owasp-ruleset'
import spectralRulesets from '@stoplight/spectral-rulesets'

/** The part of a rule that we change: where it looks. */
interface RuleDefinition {
  given: string | string[]
  then: object
}

// Both packages are CommonJS, whose named exports Node does not detect.
const { oas } = spectralRulesets
const owasp = ('default' in owaspRules ? owaspRules.default : owaspRules) as {
  rules: Record<string, RuleDefinition>
}

/** A rule of the OWASP set that looks at other places than its own. */
const lookingAt = (name: string, given: string | string[]): RuleDefinition => {
  const rule = owasp.rules[name]
  if (rule === undefined) throw new Error(`The OWASP rules have no ${name}.`)
  return { ...rule, given }
}

/** All values of one type that are sent to the service: in bodies and in parameters, with references resolved. */
const sent = (type: string) =>
  ['requestBody', 'parameters'].flatMap((part) => [
    `$.paths[*][*].${part}..[?(@ && @.type=="${type}")]`,
    `$.paths[*][*].${part}..[?(@ && @.type && @.type.constructor.name === "Array" && @.type.includes("${type}"))]`,
  ])

/** An id has 36 characters and a time about as many: their format bounds them. A file has its own limit, in bytes. */
const sentText = sent('string').map((given) =>
  given.replace(
    '[?(@ &&',
    '[?(@ && @.format !== "uuid" && @.format !== "date-time" && @.format !== "date" && @.format !== "binary" &&',
  ),
)

/** Operations whose requests are counted: they have `x-rate-limit`. */
const LIMITED = '$.paths[*][?(@ && @["x-rate-limit"])]'

/** Operations that need a key or a token. The others, such as health checks, are public on purpose. */
const GUARDED = '$.paths[*][?(@ && @.security && @.security.length > 0)]'

/** Operations with any input. */
const WITH_INPUT = '$.paths[*][?(@ && (@.parameters || @.requestBody))]'

/**
 * The rules for `/openapi.json`: Spectral's recommended rules, and its OWASP rules. A rule that does not fit is changed here, with the
 * reason.
 */
export const openApiRuleset = {
  extends: [
    [oas, 'recommended'],
    [owaspRules, 'recommended'],
  ],
  rules: {
    // Limits protect the service from senders. Its answers are limited by what it stores and by the sizes of pages;
    // a limit there would be a promise to clients without a use, so the rules check only what is sent.
    'owasp:api4:2023-array-limit': lookingAt('owasp:api4:2023-array-limit', sent('array')),
    'owasp:api4:2023-string-limit': lookingAt('owasp:api4:2023-string-limit', sentText),
    'owasp:api4:2023-integer-limit': lookingAt('owasp:api4:2023-integer-limit', sent('integer')),
    // Questions, names, instructions and pages are free text: a pattern would only exclude some languages.
    'owasp:api4:2023-string-restricted': 'off',
    // The management API has no rate limits: its callers have tokens, and their work is bounded by plan limits
    // and by one sync per source. Requests that anyone can send, and those that cost money, are counted.
    'owasp:api4:2023-rate-limit': lookingAt(
      'owasp:api4:2023-rate-limit',
      `${LIMITED}.responses[?(@property.match(/^(2|4)/))]`,
    ),
    'owasp:api4:2023-rate-limit-responses-429': lookingAt(
      'owasp:api4:2023-rate-limit-responses-429',
      `${LIMITED}.responses`,
    ),
    // An operation without input has nothing to check.
    'owasp:api8:2023-define-error-validation': lookingAt(
      'owasp:api8:2023-define-error-validation',
      `${WITH_INPUT}.responses`,
    ),
    // Public operations need no key, and so cannot refuse a missing one.
    'owasp:api2:2023-read-restricted': lookingAt('owasp:api2:2023-read-restricted', GUARDED),
    'owasp:api8:2023-define-error-responses-401': lookingAt(
      'owasp:api8:2023-define-error-responses-401',
      `${GUARDED}.responses`,
    ),
    // Pages of other sites may read answers of the public API; the management API has no CORS headers, so none may.
    'owasp:api8:2023-define-cors-origin': lookingAt(
      'owasp:api8:2023-define-cors-origin',
      '$.paths[?(@property.match(/^.api.v1.public./))][*].responses[*].headers',
    ),
    // OpenAPI 3.1 lets `security` name the requirements of a bearer token; the rule still expects a list of scopes, which only OAuth
    // flows have. Another test beside the document checks that every scheme exists.
    'oas3-operation-security-defined': 'off',
    // A WebSocket is opened with 101, which is neither 2xx nor a failure.
    'operation-success-response': 'off',
  },
} as unknown as RulesetDefinition

export const { Spectral } = spectralCore
