/** An element of a document; names are local ones, without their prefix. */
export interface XmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** All text directly in it. */
  readonly text: string
}

interface Node extends XmlElement {
  readonly qualified: string
  readonly children: Node[]
  text: string
}

const MAX_DEPTH = 48
const MAX_ELEMENTS = 100_000

const NAME = '[A-Za-z_][\\w.:-]*'
/** Declaration, comment, CDATA, end tag, start tag, text. A document type is none of them. */
const token = new RegExp(
  [
    '<\\?[\\s\\S]*?\\?>',
    '<!--[\\s\\S]*?-->',
    '<!\\[CDATA\\[([\\s\\S]*?)\\]\\]>',
    `</(${NAME})\\s*>`,
    `<(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*')){0,64})\\s*(/?)>`,
    '([^<]+)',
  ].join('|'),
  'y',
)

/**
 * Reads the XML that devices answer SOAP requests with, and no more of the language than that: a document type, an entity
 * that is not one of the five of XML, and more depth or elements than any answer has are refused, so that the work and the
 * memory are bounded by the length of the text. Null: it cannot be read.
 */
export function parseXml(text: string): XmlElement | null {
  const root: Node = { name: '', qualified: '', attributes: new Map(), children: [], text: '' }
  const open = [root]
  let count = 0
  const reader = new RegExp(token)
  reader.lastIndex = text.startsWith('\uFEFF') ? 1 : 0
  while (reader.lastIndex < text.length) {
    const match = reader.exec(text)
    const parent = open.at(-1)
    if (!match || !parent) return null
    const [, cdata, end, start, attributeText = '', selfClosed, chars] = match
    if (start !== undefined) {
      const attributes = readAttributes(attributeText)
      if (!attributes || ++count > MAX_ELEMENTS || open.length > MAX_DEPTH) return null
      const node: Node = { name: localName(start), qualified: start, attributes, children: [], text: '' }
      parent.children.push(node)
      if (selfClosed === '') open.push(node)
    } else if (end !== undefined) {
      if (parent.qualified !== end) return null
      open.pop()
    } else {
      const decoded = cdata ?? decodeText(chars ?? '')
      if (decoded === null || (parent === root && decoded.trim() !== '')) return null
      parent.text += decoded
    }
  }
  const [document, more] = root.children
  return open.length === 1 && document && !more ? document : null
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

function readAttributes(text: string): Map<string, string> | null {
  const attributes = new Map<string, string>()
  for (const [, name = '', double, single] of text.matchAll(/([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    const value = decodeText(double ?? single ?? '')
    if (value === null) return null
    attributes.set(localName(name), value)
  }
  return attributes
}

const reference = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\dA-Fa-f]{1,6}));/g
const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeText(text: string): string | null {
  if (!text.includes('&')) return text
  if (text.replace(reference, '').includes('&')) return null
  return text.replace(
    reference,
    (_, name: string | undefined, decimal: string | undefined, hex: string | undefined) => {
      if (name !== undefined) return characters[name] ?? ''
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\uFFFD'
    },
  )
}
