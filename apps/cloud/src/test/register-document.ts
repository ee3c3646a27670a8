import { prazosFixos } from '@vigia/contracts/retencao'
import { entries } from '../db/data-register/data-register.ts'
import type { DataEntry, Ending, Reach } from '../db/data-register/entry.ts'
import { otherData } from './other-data.ts'

const WIDTH = 120

/** The end of a record, as a part of a sentence. */
export const endingText = (ending: Ending): string => {
  if (ending.by === 'age') return `age \`${ending.tipo}\``
  if (ending.by === 'fixed') return `${prazosFixos[ending.tipo]} days`
  if (ending.by === 'owner') return `with \`${ending.table}\``
  if (ending.by === 'person') return 'removed by a person'
  return ending.by === 'never' ? `never: ${ending.why}` : ending.what
}

const reachText = (reach: Reach): string =>
  reach.by === 'with' ? `\`${reach.table}\`` : reach.by === 'none' ? '–' : reach.by

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')

const holds = (list: readonly (readonly [string, DataEntry])[]): string =>
  table(
    ['data', 'holds', 'ends'],
    list.map(([name, { personal, ends }]) => [`\`${name}\``, personal ?? '–', ends.map(endingText).join('; ')]),
  )

const reached = (list: readonly (readonly [string, DataEntry])[]): string =>
  table(
    ['data', 'hold', 'export', 'period', 'plate', 'login', 'masks', 'read by', 'shortened by'],
    list.map(([name, entry]) => [
      ...[`\`${name}\``, entry.held ? 'yes' : '–', ...[entry.export, entry.period, entry.plate].map(reachText)],
      ...[entry.login === 'none' ? '–' : entry.login, entry.masks ? 'yes' : '–', entry.readers, entry.shortens],
    ]),
  )

/** Words with a separator in lines of the width of a document. */
export function wrapped(words: readonly string[], separator = ','): string {
  const lines: string[] = []
  for (const word of words.map((each, at) => (at === words.length - 1 ? each : `${each}${separator}`))) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join('\n')
}

/** docs/reference/data-register.md. */
export function registerDocument(): string {
  const personal = entries.filter(([, entry]) => entry.personal !== null)
  const plain = entries.filter(([, entry]) => entry.personal === null)
  const others = Object.entries<DataEntry>(otherData)
  return `# Register of data

\`npm run test:run -- data-register/document -u\` makes this page from \`apps/cloud/src/db/data-register\`. A table
without an entry does not compile. \`interface-tests/data-register.test.ts\` checks the promises on the real routes.

## Contents and end

${holds([...personal, ...others])}

## Promises that reach it

* \`own\`: a step of its own. A name: it goes, or comes, with these records. \`–\`: not concerned.
* \`stays\`: the deletion leaves it, and its answer says so.
* \`period\`: deletion by period. \`plate\`: deletion of one plate. \`login\`: removal of a login.

${reached([...personal, ...others])}

## Without personal data

${wrapped(plain.map(([name]) => `\`${name}\``))}
`
}
