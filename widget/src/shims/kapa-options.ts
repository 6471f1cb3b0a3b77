import type { GivenOptions } from '../options/given-options.ts'

/** An attribute without `data-`, in camel case as `dataset` has it: what it becomes. `null`: nothing is needed for it here. */
type Rule = ((value: string) => GivenOptions) | null

const as =
  (name: string): Rule =>
  (value) => ({ [name]: value })
const isTrue = (value: string) => value === 'true'

/** `[text](address)` becomes `text`: the disclaimer is a plain text here. */
const withoutLinks = (text: string) => text.replaceAll(/\[([^\]]{0,500})\]\([^)]{0,2000}\)/g, '$1')

const RULES: Record<string, Rule> = {
  websiteId: null,
  integrationId: null,
  projectName: as('productName'),
  modalTitle: as('productName'),
  modalTitleAskAi: as('productName'),
  projectColor: as('accent'),
  projectLogo: as('logo'),
  language: as('language'),
  buttonHide: (value) => ({ launcher: isTrue(value) ? 'none' : 'button' }),
  buttonText: as('launcherLabel'),
  buttonImage: as('launcherIcon'),
  buttonPositionBottom: as('offset'),
  buttonPositionRight: () => ({ position: 'end' }),
  buttonPositionLeft: () => ({ position: 'start' }),
  modalDisclaimer: (value) => ({ disclaimer: withoutLinks(value) }),
  modalAskAiInputPlaceholder: as('placeholder'),
  modalOpenOnCommandK: (value) => ({ shortcut: isTrue(value) ? 'mod+k' : 'none' }),
  modalZIndex: as('zIndex'),
  modalBorderRadius: as('radius'),
  searchModeEnabled: (value) => ({ search: isTrue(value) }),
  searchModeDefault: (value) => ({ defaultTab: isTrue(value) ? 'search' : 'ask' }),
  viewMode: (value) => ({ mode: value === 'sidebar' ? 'sidebar' : 'modal' }),
  consentRequired: (value) => ({ consent: isTrue(value) ? 'required' : 'none' }),
  mcpEnabled: (value) => ({ mcpEnabled: isTrue(value) }),
  answerCtaButtonLink: as('supportUrl'),
  answerCtaButtonEnabled: null,
  kapaBrandingHide: (value) => ({ hideBranding: isTrue(value) }),
  kapaBrandingHidden: (value) => ({ hideBranding: isTrue(value) }),
  colorScheme: (value) => ({ theme: value === 'dark' || value === 'light' ? value : 'auto' }),
  // Read elsewhere.
  modalOpenByDefault: null,
  renderOnLoad: null,
  // Said by the address of the shim, or by the service.
  knowledgeBaseId: null,
  widgetId: null,
  clientKey: null,
  endpoint: null,
  sourceGroupIds: null,
}

/** What kapa does where its tag says nothing, as far as ours differs. */
const DEFAULTS: GivenOptions = { search: false, shortcut: 'none', slash: false }

const OVERRIDE = /^modalOverrideOpen(Id|Class|Selector)(AskAi|Search)?$/

/** An element of the page that opens the widget. */
export interface KapaTrigger {
  selector: string
  tab: 'ask' | 'search'
}

export interface KapaTag {
  options: GivenOptions
  triggers: KapaTrigger[]
  opensByDefault: boolean
  rendersOnLoad: boolean
  /** Attributes without a counterpart, as they stand in the tag. */
  ignored: string[]
}

const attributeOf = (name: string) =>
  `data-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

function triggerOf(kind: string, tab: string | undefined, value: string): KapaTrigger[] {
  const selectors = { Id: `#${CSS.escape(value)}`, Class: `.${CSS.escape(value)}`, Selector: value }
  const selector = selectors[kind as keyof typeof selectors]
  try {
    document.querySelector(selector)
  } catch {
    return []
  }
  return [{ selector, tab: tab === 'Search' ? 'search' : 'ask' }]
}

/** Reads the attributes of a kapa tag. */
export function readKapaTag(dataset: Readonly<DOMStringMap>): KapaTag {
  const tag: KapaTag = {
    options: { ...DEFAULTS },
    triggers: [],
    opensByDefault: dataset['modalOpenByDefault'] === 'true',
    rendersOnLoad: dataset['renderOnLoad'] !== 'false',
    ignored: [],
  }
  for (const [name, value = ''] of Object.entries(dataset)) {
    const [isOverride, kind = '', tab] = OVERRIDE.exec(name) ?? []
    const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined
    if (isOverride !== undefined) tag.triggers.push(...triggerOf(kind, tab, value))
    else if (rule === undefined) tag.ignored.push(attributeOf(name))
    else if (rule !== null) Object.assign(tag.options, rule(value))
  }
  return tag
}
