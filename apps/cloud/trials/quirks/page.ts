import { rowsToMarkdown } from '@vigia/testing/table'
import { type Outcome, WORKS } from './cells.ts'
import { columns, type DeviceRow } from './run.ts'

/** Precedes the sentence of a camera in the answers about an offline camera (`online-camera.ts`). */
const OFFLINE = 'A câmera não está online: não há imagem para mostrar. '
const COLUMNS = 118

/** Markdown for docs/devices.md: a table with one line for all quirks that work, and its sentences. */
export function toPage(rows: readonly DeviceRow[]): string {
  const working = rows.filter(({ cells }) => columns.every((column) => cells[column] === WORKS))
  const others = rows.filter((row) => !working.includes(row))
  const sentences: string[] = []
  const numberOf = (sentence: string) => {
    if (!sentences.includes(sentence)) sentences.push(sentence)
    return `(${sentences.indexOf(sentence) + 1})`
  }
  const shown = (outcome: Outcome, stream: Outcome): string => {
    if (outcome === null) return 'NEITHER'
    if (!outcome.includes(' ')) return outcome
    const said = outcome.replace(OFFLINE, '')
    return said !== outcome && said === stream ? 'offline' : numberOf(said)
  }
  const table = others.map(({ quirk, cells, refusals }) => ({
    quirk,
    ...Object.fromEntries(columns.map((column) => [column, shown(cells[column], cells.stream)])),
    refused: refusals,
  }))
  const rest = {
    quirk: `${working.length} others`,
    ...Object.fromEntries(columns.map((column) => [column, WORKS])),
    refused: working.reduce((sum, { refusals }) => sum + refusals, 0),
  }
  return [
    rowsToMarkdown([...table, rest]),
    sentences.map((sentence, index) => wrap(`${index + 1}. *${sentence}*`, '   ')).join('\n'),
  ].join('\n\n')
}

/** Breaks a text between words; `indent`: of its later lines. */
function wrap(text: string, indent: string): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined) lines.push(word)
    else if (line.length + word.length + 1 > COLUMNS) lines.push(`${indent}${word}`)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join('\n')
}
