import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Name, readCode } from './code.ts'
import { passagesOfDocument, withoutGenerated } from './documents.ts'
import { languageOf } from './files.ts'
import { checkFileName, checkNames } from './glossary.ts'
import type { Passage } from './passage.ts'
import { checkColumns, checkPassages, type Violation } from './rules.ts'
import { passagesOfScript, passagesOfStyle } from './scripts.ts'

/** Returns the prose and the identifiers of one file. */
export function readProse(file: string, source: string): { passages: readonly Passage[]; names: readonly Name[] } {
  switch (languageOf(file)) {
    case 'code':
      return readCode(file, source)
    case 'script':
      return { passages: passagesOfScript(file, source), names: [] }
    case 'style':
      return { passages: passagesOfStyle(source), names: [] }
    case 'document':
      return { passages: passagesOfDocument(source), names: [] }
    default:
      return { passages: [], names: [] }
  }
}

export function checkSource(file: string, written: string): Violation[] {
  const source = languageOf(file) === 'code' ? written : withoutGenerated(written)
  const { passages, names } = readProse(file, source)
  return [...checkFileName(file), ...checkNames(file, names), ...checkPassages(passages), ...checkColumns(source)].sort(
    (a, b) => a.line - b.line,
  )
}

export const checkFile = (root: string, file: string): Violation[] =>
  checkSource(file, readFileSync(join(root, file), 'utf8'))
