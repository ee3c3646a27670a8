import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { describeSkipped, type SkippedTest } from './skipped.ts'

const SLOWEST = 10

interface Part {
  readonly name: string
  /** ms */
  began: number
  ended: number
  files: number
  tests: number
}

interface FileTime {
  readonly project: string
  readonly path: string
  readonly ms: number
}

/** Measures the time of the parts of a run, and of each project and file of Vitest. Collects skipped tests. */
export interface Stopwatch {
  readonly reporter: Reporter
  part<T>(name: string, run: () => Promise<T>): Promise<T>
  /** Writes the table and the skipped tests. Sets the exit code if one of them has no reason. */
  print(): void
}

/** @param root of the repository, where bootstrap.mjs wrote the durations of its steps */
export function createStopwatch(root: string): Stopwatch {
  const began = performance.now() - process.uptime() * 1000
  // The file is read at once, because a test of `npm start` runs bootstrap.mjs again.
  const before = readBootstrap(root)
  const parts: Part[] = []
  const queued = new Map<string, number>()
  const files: FileTime[] = []
  const skipped: SkippedTest[] = []

  const projectPart = (name: string): Part => {
    const known = parts.find((part) => part.name === name)
    if (known) return known
    const part = { name, began: performance.now(), ended: performance.now(), files: 0, tests: 0 }
    parts.push(part)
    return part
  }
  const reporter: Reporter = {
    onTestModuleQueued(module: TestModule) {
      projectPart(module.project.name)
      queued.set(module.id, performance.now())
    },
    onTestModuleEnd(module: TestModule) {
      const part = projectPart(module.project.name)
      part.ended = performance.now()
      part.files += 1
      part.tests += [...module.children.allTests()].length
      skipped.push(...skippedIn(module))
      const ms = part.ended - (queued.get(module.id) ?? part.began)
      files.push({ project: part.name, path: relative(root, module.moduleId), ms })
    },
  }

  return {
    reporter,
    async part(name, run) {
      const part = { name, began: performance.now(), ended: 0, files: 0, tests: 0 }
      parts.push(part)
      try {
        return await run()
      } finally {
        part.ended = performance.now()
      }
    },
    print() {
      const total = performance.now() - began + before.reduce((sum, { ms }) => sum + ms, 0)
      const rows = [
        ['part', 'files', 'tests', 'time'],
        ...before.map(({ name, ms }) => [name, '', '', seconds(ms)]),
        ...parts.map((part) => [
          part.name,
          part.files ? String(part.files) : '',
          part.files ? String(part.tests) : '',
          seconds(part.ended - part.began),
        ]),
        ['total', '', '', seconds(total)],
      ]
      const slowest = files.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST)
      const { lines: reasons, isExplained } = describeSkipped(skipped)
      if (!isExplained) process.exitCode = 1
      const lines = [
        ...rows.map(
          ([name = '', ...numbers]) => `${name.padEnd(12)}${numbers.map((text) => text.padStart(9)).join('')}`,
        ),
        ...(slowest.length === 0 ? [] : ['', 'slowest files']),
        ...slowest.map(({ project, path, ms }) => `${seconds(ms).padStart(9)}  ${project.padEnd(11)} ${path}`),
        ...(reasons.length === 0 ? [] : ['', 'skipped tests']),
        ...reasons,
      ]
      process.stdout.write(`\n${lines.join('\n')}\n`)
    },
  }
}

/** The tests of a file that it skips itself; those after a failed hook are not meant. */
function* skippedIn(module: TestModule): Generator<SkippedTest> {
  for (const test of module.children.allTests('skipped')) {
    const result = test.result()
    const note = result.state === 'skipped' ? result.note : undefined
    if (test.options.mode !== 'run' || note !== undefined) yield { titles: titlesOf(test), note }
  }
}

function titlesOf(test: TestCase): string[] {
  const titles = [test.name]
  for (let at = test.parent; at.type === 'suite'; at = at.parent) titles.unshift(at.name)
  return titles
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** Names and durations of the steps of bootstrap.mjs. */
function readBootstrap(root: string): readonly { readonly name: string; readonly ms: number }[] {
  const file = join(root, 'node_modules/.vigia-bootstrap.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
}
