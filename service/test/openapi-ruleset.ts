import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import owaspRules from '@stoplight/spectral-owasp-ruleset'
import spectralRulesets from '@stoplight/spectral-rulesets'

/** As far as we change one: where it looks. */
interface RuleDefinition {
  given: string | string[]
  then: object
}

// Both packages are CommonJS, whose named exports Node does not see.
const { oas } = spectralRulesets
const owasp = ('default' in owaspRules ? owaspRules.default : owaspRules) as {
  rules: Record<string, RuleDefinition>
}

/** A rule of the OWASP set, looking at other places than its own. */
const lookingAt = (name: string, given: string | string[]): RuleDefinition => {
  const rule = owasp.rules[name]
  if (rule === undefined) throw new Error(`The OWASP rules have no ${name}.`)
  return { ...rule, given }
}

/** Everything of one type that is sent to the service: in bodies and in parameters, references followed. */
const sent = (type: string) =>
  ['requestBody', 'parameters'].flatMap((part) => [
    `$.paths[*][*].${part}..[?(@ && @.type=="${type}")]`,
    `$.paths[*][*].${part}..[?(@ && @.type && @.type.constructor.name === "Array" && @.type.includes("${type}"))]`,
  ])

/** An id has 36 characters and a time about as many: their form bounds them. A file has a limit of its own, in bytes. */
const sentText = sent('string').map((given) =>
  given.replace(
    '[?(@ &&',
    '[?(@ && @.format !== "uuid" && @.format !== "date-time" && @.format !== "date" && @.format !== "binary" &&',
  ),
)

/** Operations that count their requests: `x-rate-limit` says so. */
const LIMITED = '$.paths[*][?(@ && @["x-rate-limit"])]'

/** Operations that take a key or a token. The others are health checks and the like, open on purpose. */
const GUARDED = '$.paths[*][?(@ && @.security && @.security.length > 0)]'

/** Operations that take anything at all. */
const WITH_INPUT = '$.paths[*][?(@ && (@.parameters || @.requestBody))]'

/**
 * What `/openapi.json` is held against: Spectral's recommended rules, and its OWASP rules. Where one does not fit, it stands here
 * with the reason.
 */
export const openApiRuleset = {
  extends: [
    [oas, 'recommended'],
    [owaspRules, 'recommended'],
  ],
  rules: {
    // Bounds keep a sender from using up the service. What it answers is bounded by what it stores and by the sizes of pages;
    // a bound there would be a promise to clients without a use, so the rules look at what is sent.
    'owasp:api4:2023-array-limit': lookingAt('owasp:api4:2023-array-limit', sent('array')),
    'owasp:api4:2023-string-limit': lookingAt('owasp:api4:2023-string-limit', sentText),
    'owasp:api4:2023-integer-limit': lookingAt('owasp:api4:2023-integer-limit', sent('integer')),
    // Questions, names, instructions and pages are free text: a pattern would only refuse somebody's language.
    'owasp:api4:2023-string-restricted': 'off',
    // The management API has no limits of its own: its callers are people with tokens, whose work is bounded by plan limits
    // and by one sync a source. What strangers reach, and what costs, is counted.
    'owasp:api4:2023-rate-limit': lookingAt(
      'owasp:api4:2023-rate-limit',
      `${LIMITED}.responses[?(@property.match(/^(2|4)/))]`,
    ),
    'owasp:api4:2023-rate-limit-responses-429': lookingAt(
      'owasp:api4:2023-rate-limit-responses-429',
      `${LIMITED}.responses`,
    ),
    // An operation that takes nothing has nothing to find fault with.
    'owasp:api8:2023-define-error-validation': lookingAt(
      'owasp:api8:2023-define-error-validation',
      `${WITH_INPUT}.responses`,
    ),
    // What is open needs no key, and so refuses nobody for the lack of one.
    'owasp:api2:2023-read-restricted': lookingAt('owasp:api2:2023-read-restricted', GUARDED),
    'owasp:api8:2023-define-error-responses-401': lookingAt(
      'owasp:api8:2023-define-error-responses-401',
      `${GUARDED}.responses`,
    ),
    // Pages of other sites may read what the public API answers; the management API has no CORS headers, so none may.
    'owasp:api8:2023-define-cors-origin': lookingAt(
      'owasp:api8:2023-define-cors-origin',
      '$.paths[?(@property.match(/^.api.v1.public./))][*].responses[*].headers',
    ),
    // OpenAPI 3.1 lets `security` name what a bearer token needs; the rule still asks for a list of scopes, which only OAuth
    // flows have. That every scheme exists is tested beside the document.
    'oas3-operation-security-defined': 'off',
    // A WebSocket is opened with 101, which is no 2xx and no failure either.
    'operation-success-response': 'off',
  },
} as unknown as RulesetDefinition

export const { Spectral } = spectralCore
