import type { PaintCode } from '../code-colours/code-colours.ts'
import type { Words } from '../languages/en.ts'
import type { SelectionParts } from '../selection/selection.ts'
import type { ToolLink } from '../tools/tools.ts'
import type { AccentLooks } from './looks.ts'

// What the chunks export that are fetched when they are needed.

export interface LanguageModule {
  /** In the order of the English keys. */
  texts: readonly Words[]
}

export interface AccentModule {
  accentLooks: AccentLooks
}

export interface ToolsModule {
  toolLinks(knowledgeBase: string, url: string): ToolLink[]
}

export interface ColoursModule {
  paintCode: PaintCode
}

export interface SelectionModule {
  askAboutSelection(parts: SelectionParts): void
}
