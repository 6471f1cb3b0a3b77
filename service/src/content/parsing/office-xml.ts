import { Parser } from 'saxen'
import { decodeXmlEntities } from '../../kernel/xml-entities.ts'

const OF_2006 = 'http://schemas.openxmlformats.org'
const STRICT = 'http://purl.oclc.org/ooxml'

/** The namespaces of ECMA-376, in both of its forms, by the prefixes that its examples use. */
const PREFIXES: Record<string, string> = {
  [`${OF_2006}/presentationml/2006/main`]: 'p',
  [`${STRICT}/presentationml/main`]: 'p',
  [`${OF_2006}/drawingml/2006/main`]: 'a',
  [`${STRICT}/drawingml/main`]: 'a',
  [`${OF_2006}/officeDocument/2006/relationships`]: 'r',
  [`${STRICT}/officeDocument/relationships`]: 'r',
  [`${OF_2006}/package/2006/relationships`]: 'rel',
}

/** What is done with the parts of an XML document, one after the other. */
export interface XmlReader {
  /** By the name of the element. */
  open?: Record<string, (attribute: (name: string) => string | undefined) => void>
  close?: Record<string, () => void>
  text?: (text: string) => void
}

/** Reads the XML of an office file in one pass. It expands no entities but those of XML itself, and reads broken XML up to where it breaks. */
export function readOfficeXml(xml: string, { open = {}, close = {}, text }: XmlReader): void {
  const parser = new Parser()
  parser.ns(PREFIXES)
  parser.on('openTag', (name, attributes) => {
    open[name]?.((wanted) => {
      const value = attributes()[wanted]
      return value === undefined ? undefined : decodeXmlEntities(value)
    })
  })
  parser.on('closeTag', (name) => close[name]?.())
  if (text !== undefined) {
    parser.on('text', (value) => text(decodeXmlEntities(value)))
    parser.on('cdata', text)
  }
  // Where it breaks, it ends.
  parser.on('error', () => undefined)
  parser.parse(xml)
}
