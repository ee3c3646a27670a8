/** Origin of a passage of prose. Only a document has headings, lists and tables. */
export type PassageKind = 'comment' | 'message' | 'test' | 'document' | 'cell'

/**
 * A passage is a paragraph, list item, table cell, message or test name. `text` keeps its line breaks; `line` is the
 * line of its first character.
 */
export interface Passage {
  readonly kind: PassageKind
  readonly line: number
  readonly text: string
}

const LIST_ITEM = /^\s*(?:[-*+•]|\d+[.)])\s+/
const TAG = /^\s*@\w+\s*/
const FENCE = /^\s*(?:```|~~~)/
const DIAGRAM = /[│├└┌┐┘▼▲◀▶─]|[-=]{2,}>|<-{2,}|\s\|\s.*\s\|\s*$/
const TABLE_ROW = /^\s*\|.*\|\s*$/
const TABLE_RULE = /^\s*\|[\s:|-]+\|\s*$/
/** An indented line of a comment is an example or a drawing unless it continues a list item. */
const INDENTED = /^\s{4,}/

/** Divides lines into passages: a blank line, a list item, a heading, a tag and a table cell each begin a new one. */
export function passagesOf(lines: readonly string[], firstLine: number, kind: 'comment' | 'document'): Passage[] {
  const passages: Passage[] = []
  let open: string[] = []
  let openLine = 0
  let inList = false
  let inFence = false
  const close = () => {
    const text = open.join('\n')
    if (text.trim()) passages.push({ kind, line: openLine, text })
    open = []
  }
  const begin = (line: number, text: string) => {
    close()
    openLine = line
    open = [text]
  }
  for (const [index, raw] of lines.entries()) {
    const line = firstLine + index
    if (FENCE.test(raw)) {
      close()
      inFence = !inFence
    } else if (inFence) {
    } else if (!raw.trim()) {
      close()
      inList = false
    } else if (TABLE_ROW.test(raw)) {
      close()
      if (!TABLE_RULE.test(raw)) passages.push(...cellsOf(raw, line))
    } else if (LIST_ITEM.test(raw)) {
      begin(line, raw.replace(LIST_ITEM, ''))
      inList = true
    } else if (kind === 'document' && /^#+\s|^>|^\[[^\]]+\]:\s/.test(raw)) {
      if (/^\[/.test(raw)) close()
      else begin(line, raw.replace(/^[#>]+\s*/, ''))
      if (raw.startsWith('#')) close()
    } else if (DIAGRAM.test(raw) || (INDENTED.test(raw) && !inList && open.length === 0)) close()
    else if (kind === 'comment' && TAG.test(raw)) begin(line, raw.replace(TAG, ''))
    else if (open.length === 0) begin(line, raw)
    else open.push(raw)
  }
  close()
  return passages
}

const cellsOf = (row: string, line: number): Passage[] =>
  row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|(?=(?:[^`]*`[^`]*`)*[^`]*$)/)
    .map((text): Passage => ({ kind: 'cell', line, text: text.trim() }))
    .filter(({ text }) => text !== '')
