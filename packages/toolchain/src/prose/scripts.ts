import { type Passage, passagesOf } from './passage.ts'

/** A comment from its `#` on, after optional code on the same line. A `#` within a string or a word begins none. */
const HASH_COMMENT = /^((?:[^'"#]|'[^']*'|"(?:[^"\\]|\\.)*"|(?<=[^\s;])#)*?)(?<=^|[\s;])#(.*)$/
/** The first line of a script, or a directive for a tool. */
const DIRECTIVE = /^!|^\s*(?:shellcheck|noqa|type:|yaml-language-server|pylint)\b/
const PYTHON_DOCSTRING = /^([ \t]*)"""([\s\S]*?)"""/gm

/** Returns the comments of a shell script, a YAML file or a Python module: whole lines in one passage. */
function commentsOf(lines: readonly string[]): Passage[] {
  const passages: Passage[] = []
  let block: string[] = []
  let first = 1
  const close = () => {
    passages.push(...passagesOf(block, first, 'comment'))
    block = []
  }
  for (const [index, line] of lines.entries()) {
    const [, before = '', written = ''] = HASH_COMMENT.exec(line) ?? []
    const text = DIRECTIVE.test(written) ? '' : written.replace(/^#* ?/, '').trimEnd()
    if (before.trim() === '' && text !== '') {
      if (block.length === 0) first = index + 1
      block.push(text)
      continue
    }
    close()
    if (text) passages.push({ kind: 'comment', line: index + 1, text })
  }
  close()
  return passages
}

/** Blanks a part; every line stays where it is. */
const blank = (part: string): string => part.replace(/[^\n]/g, '')

const lineAt = (source: string, offset: number): number => source.slice(0, offset).split('\n').length

/** Returns the comments of a file with `#` comments, and the docstrings of a Python module. */
export function passagesOfScript(file: string, source: string): Passage[] {
  if (!file.endsWith('.py')) return commentsOf(source.split('\n'))
  const docstrings = [...source.matchAll(PYTHON_DOCSTRING)].flatMap(({ 1: indent = '', 2: text = '', index }) =>
    passagesOf(
      text.split('\n').map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)),
      lineAt(source, index),
      'comment',
    ),
  )
  return [...docstrings, ...commentsOf(source.replace(PYTHON_DOCSTRING, blank).split('\n'))]
}

/** Returns the comments of a stylesheet. */
export const passagesOfStyle = (source: string): Passage[] =>
  [...source.matchAll(/\/\*([\s\S]*?)\*\//g)].flatMap(({ 1: text = '', index }) =>
    passagesOf(
      text.split('\n').map((line) => line.replace(/^\s*\** ?/, '').trimEnd()),
      lineAt(source, index),
      'comment',
    ),
  )
