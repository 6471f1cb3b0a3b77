import { extensionOf } from '../document-types.ts'

/** Text and code files that pages may show. Settings files (`.env`, `.ini`, `.conf`) and keys are not among them. */
const SHOWN =
  /^(mdx?|markdown|mdoc|rst|rest|txt|text|inc|adoc|asciidoc|tex|html?|xhtml|xml|xsd|xsl|svg|css|s[ac]ss|less|[mc]?jsx?|[mc]?tsx?|vue|svelte|astro|json[c5l]?|ya?ml|toml|csv|tsv|graphql|gql|proto|sql|py|pyi|ipynb|rb|erb|go|rs|java|kts?|scala|groovy|gradle|c|cc|cpp|cxx|h|hh|hpp|hxx|m|mm|cs|fs|vb|swift|dart|php|pl|pm|lua|r|jl|ex|exs|erl|hrl|hs|elm|clj[cs]?|ml|mli|nim|zig|sol|v|sv|vhdl?|asm|s|sh|bash|zsh|fish|ps1|bat|cmd|diff|patch|tf|hcl|bicep|nix|bzl|bazel|cmake|mk|dot|mmd|puml|jinja2?|j2|hbs|mustache|tmpl|liquid|po|dtd|wsdl|rnc|abnf|ebnf|g4)$/

/** Data files whose names suggest secrets. */
const SECRET_NAME =
  /secret|credential|passw|htpasswd|private[._-]?key|service[._-]?account|id_(?:rsa|dsa|ecdsa|ed25519)/i

const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY/

/** Whether a page may include this file, judged by its name. */
export function mayBeIncluded(path: string): boolean {
  const isHidden = path.split('/').some((part) => part.startsWith('.'))
  return (
    !isHidden && SHOWN.test(extensionOf(path)) && !SECRET_NAME.test(path.slice(path.lastIndexOf('/') + 1))
  )
}

/** The same judged by its contents: binary files and private keys are not shown. */
export const isShownText = (text: string): boolean => !text.includes('\0') && !PRIVATE_KEY.test(text)
