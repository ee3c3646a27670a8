import { SaxesParser } from 'saxes'

/** An element of a document; names are local ones, without their prefix. */
export interface XmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** All text directly in the element. */
  readonly text: string
}

interface Node extends XmlElement {
  readonly children: Node[]
  text: string
}

const MAX_DEPTH = 48
const MAX_ELEMENTS = 100_000

/**
 * Reads the XML of SOAP answers. Refuses document types, entities other than the five of XML, and excessive depth or
 * elements. The length of the text bounds time and memory. Prefixes need no declaration: some devices omit it. Null:
 * unreadable.
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

/** Returns the first element at the path of child names. */
export function childAt(element: XmlElement, ...names: readonly string[]): XmlElement | undefined {
  const [first, ...rest] = names
  if (first === undefined) return element
  const child = element.children.find(({ name }) => name === first)
  return child && childAt(child, ...rest)
}

/** Escapes text for an element or an attribute. */
export const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
