import { SaxesParser } from 'saxes'

/** An element of a document; names are local ones, without their prefix. */
export interface XmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** All text directly in it. */
  readonly text: string
}

interface Node extends XmlElement {
  readonly children: Node[]
  text: string
}

const MAX_DEPTH = 48
const MAX_ELEMENTS = 100_000

/**
 * Reads the XML that devices answer SOAP requests with. A document type, an entity that is not one of the five of XML, and more
 * depth or elements than any answer has are refused, so that the work and the memory are bounded by the length of the
 * text. Prefixes need no declaration: devices forget it. Null: it cannot be read.
 */
export function parseXml(text: string): XmlElement | null {
  const root: Node = { name: '', attributes: new Map(), children: [], text: '' }
  const open = [root]
  let count = 0
  const parser = new SaxesParser()
  const refuse = (reason: string): never => {
    throw new SyntaxError(reason)
  }
  const addText = (chars: string) => {
    const parent = open.at(-1)
    if (parent) parent.text += chars
  }
  parser.on('error', (error) => refuse(error.message))
  parser.on('doctype', () => refuse('document type'))
  parser.on('opentag', ({ name, attributes }) => {
    count += 1
    if (count > MAX_ELEMENTS || open.length > MAX_DEPTH) refuse('too large')
    const local = Object.entries(attributes).map(([key, value]): [string, string] => [localName(key), value])
    const node: Node = { name: localName(name), attributes: new Map(local), children: [], text: '' }
    open.at(-1)?.children.push(node)
    open.push(node)
  })
  parser.on('closetag', () => open.pop())
  parser.on('text', addText)
  parser.on('cdata', addText)
  try {
    parser.write(text).close()
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
  return root.children[0] ?? null
}

/** The first element that is reached by that chain of child names. */
export function childAt(element: XmlElement, ...names: readonly string[]): XmlElement | undefined {
  const [first, ...rest] = names
  if (first === undefined) return element
  const child = element.children.find(({ name }) => name === first)
  return child && childAt(child, ...rest)
}

/** Text as it stands in an element or an attribute. */
export const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
