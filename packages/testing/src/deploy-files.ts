import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { repositoryRoot } from './program.ts'

/** Reads all documents of a YAML file below `deploy/`. Throws for an error, a repeated key or an unknown alias. */
export function readYaml(path: string): unknown[] {
  const documents = parseAllDocuments(readFileSync(join(repositoryRoot, 'deploy', path), 'utf8'), { merge: true })
  return documents.map((document) => {
    const [problem] = [...document.errors, ...document.warnings]
    if (problem) throw new Error(`${path}: ${problem.message}`)
    return document.toJS() as unknown
  })
}
