import { judgeBrowserImport } from './browser-imports.ts'
import { judgeImport } from './floors.ts'
import { judgeTable, tablesTyped, tablesUsed } from './table-owners.ts'

/** What the rule uses of the linter's API (ESLint's). */
interface Context {
  readonly filename: string
  report(report: { node: unknown; message: string }): void
}

/** An import or export from elsewhere, or one without a source: `export const a = 1`. */
interface ImportNode {
  readonly source: { readonly value: unknown } | null
  readonly importKind?: string
  readonly exportKind?: string
}

const floors = {
  create(context: Context) {
    const check = ({ source }: ImportNode) => {
      if (typeof source?.value !== 'string') return
      const fault = judgeImport(context.filename, source.value)
      if (fault !== undefined) context.report({ node: source, message: fault })
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    }
  },
}

const browserImports = {
  create(context: Context) {
    const check = ({ source, importKind, exportKind }: ImportNode) => {
      if (typeof source?.value !== 'string') return
      const isType = importKind === 'type' || exportKind === 'type'
      const fault = judgeBrowserImport(context.filename, source.value, isType)
      if (fault !== undefined) context.report({ node: source, message: fault })
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    }
  },
}

const tableOwner = {
  create(context: Context) {
    const checkWith =
      (tablesOf: typeof tablesUsed, how: Parameters<typeof judgeTable>[2]) =>
      (node: Parameters<typeof tablesUsed>[0]) => {
        for (const table of tablesOf(node)) {
          const fault = judgeTable(context.filename, table, how)
          if (fault !== undefined) context.report({ node, message: fault })
        }
      }
    return {
      CallExpression: checkWith(tablesUsed, 'used'),
      TaggedTemplateExpression: checkWith(tablesUsed, 'used'),
      TSTypeReference: checkWith(tablesTyped, 'typed'),
      TSIndexedAccessType: checkWith(tablesTyped, 'typed'),
    }
  },
}

export default {
  meta: { name: 'house' },
  rules: { floors, 'browser-imports': browserImports, 'table-owner': tableOwner },
}
