import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkSource, readProse } from './check.ts'
import { languageOf, proseFiles, workspaceOf } from './files.ts'
import { sentencesOf } from './sentences.ts'

interface Row {
  sentences: number
  rewritten: number
  violations: number
}

const sentencesIn = (file: string, source: string): string[] =>
  readProse(file, source).passages.flatMap((passage) => sentencesOf(passage).map(({ text }) => text))

/** Returns all sentences of a commit from all files, so that a moved sentence does not count as rewritten. */
function sentencesAt(root: string, commit: string): Set<string> {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const files = git('ls-tree', '-r', '--name-only', commit)
    .split('\n')
    .filter((file) => languageOf(file) !== null)
  const known = new Set<string>()
  for (const file of files) for (const text of sentencesIn(file, git('show', `${commit}:${file}`))) known.add(text)
  return known
}

/** Prints sentences and violations by workspace; with a commit also the number of sentences that this commit lacks. */
export function printTable(root: string, since: string | undefined): void {
  const before = since ? sentencesAt(root, since) : null
  const rows = new Map<string, Row>()
  for (const file of proseFiles(root)) {
    const source = readFileSync(join(root, file), 'utf8')
    const row = rows.get(workspaceOf(file)) ?? { sentences: 0, rewritten: 0, violations: 0 }
    const texts = sentencesIn(file, source)
    row.sentences += texts.length
    row.rewritten += before ? texts.filter((text) => !before.has(text)).length : 0
    row.violations += checkSource(file, source).length
    rows.set(workspaceOf(file), row)
  }
  const head = ['workspace', 'sentences', ...(before ? ['rewritten'] : []), 'violations']
  process.stdout.write(`| ${head.join(' | ')} |\n|---|${'---:|'.repeat(head.length - 1)}\n`)
  for (const [name, row] of [...rows].sort(([a], [b]) => a.localeCompare(b))) {
    const cells = [name, row.sentences, ...(before ? [row.rewritten] : []), row.violations]
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
  }
}
