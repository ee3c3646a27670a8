import { entries } from '../../db/data-register/data-register.ts'
import type { Database } from '../../db/open.ts'
import { endingText, wrapped } from './register-document.ts'

/** docs/reference/schema.md: the tables of a migrated database. */
export async function schemaDocument(db: Database): Promise<string> {
  const register = new Map(entries)
  const tables = (await db.introspection.getTables()).filter(({ isView }) => !isView)
  const sections = tables
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name, columns }) => {
      const entry = register.get(name as (typeof entries)[number][0])
      if (!entry) return []
      const holds = entry.personal === null ? '' : ` Personal: ${entry.personal}.`
      const fields = columns.map(
        (column) => `${column.name} ${column.dataType.toLowerCase()}${column.isNullable ? '?' : ''}`,
      )
      const about = `Ends: ${entry.ends.map(endingText).join('; ')}.${holds}`
      return [`## ${name}\n\n${wrapped(about.split(' '), '')}\n\n${wrapped(fields)}\n`]
    })
  return `# Schema

\`npm run test:run -- db/schema-document -u\` makes this page from a migrated SQLite database and the
[register of data](data-register.md). \`?\`: may be null.

${sections.join('\n')}`
}
