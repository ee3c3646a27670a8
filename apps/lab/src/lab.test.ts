import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { repositoryRoot, runProgram } from '@vigia/testing/program'
import { purposes } from '@vigia/testing/trial'
import { afterAll, describe, expect, it } from 'vitest'
import { findTrials } from './find-trials.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigia-lab-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const files = globSync('apps/*/trials/*/trial.ts', { cwd: repositoryRoot })
const trials = await findTrials()
const lab = (...args: string[]) => runProgram({ entry: 'apps/lab/src/main.ts', args })

describe('the trials', () => {
  it('are named after their folders, each name once', () => {
    expect(trials.map(({ name }) => name)).toEqual(files.map((file) => dirname(file).split('/').at(-1)).sort())
    expect(new Set(trials.map(({ name }) => name)).size).toBe(trials.length)
  })

  it.each(trials)('$name says what it is for', ({ purpose, summary, takes, measures }) => {
    expect(Object.keys(purposes)).toContain(purpose)
    expect(summary).toMatch(/^[A-Z].*\.$/)
    expect(takes).toMatch(/^\d+ (s|min|h)$/)
    expect(measures.length).toBeGreaterThan(0)
    expect(measures.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([])
  })

  /** Modules that a file loads, also by way of its own modules. */
  const loadedBy = (file: string): string[] =>
    [...readFileSync(join(repositoryRoot, file), 'utf8').matchAll(/^import (?!type ).* from '(.+)'$/gm)].flatMap(
      ([, from = '']) => (from.startsWith('./') ? loadedBy(join(dirname(file), from)) : [from]),
    )

  it('import their programs only when they run', () => {
    for (const file of files)
      expect(loadedBy(file).filter((from) => !/^(@vigia\/testing\/trial|zod|node:.*)$/.test(from))).toEqual([])
  })
})

describe('npm run lab', () => {
  it('lists every trial by purpose with its usual duration', async () => {
    const { code, output } = await lab()
    expect(code).toBe(0)
    for (const title of Object.values(purposes)) expect(output).toContain(title)
    for (const { name, takes } of trials) expect(output).toMatch(new RegExp(`^ {2}${name} +${takes} `, 'm'))
  })

  it.each([
    [['nada'], 'There is no trial nada'],
    [['chaos', '--round', '3'], '--round'],
    [['chaos', '--rounds', 'x'], '--rounds: is a whole number from 1 to 999999999'],
    [['chaos', '--banco', 'sqlite', '--replicas', '2'], 'several replicas need --banco postgres'],
    [['figures', '--older-than', 'no-such-commit'], '--older-than: there is no commit no-such-commit'],
  ])('refuses %j with the exit status 2', async (args, sentence) => {
    const { code, output } = await lab(...args)
    expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(sentence) })
  })

  it('writes the result with commit, date, load and machine', async () => {
    const json = join(folder, 'result.json')
    const { code, output } = await lab('figures', '--json', json)
    const result = JSON.parse(readFileSync(json, 'utf8'))
    expect(result).toMatchObject({ name: 'figures', passed: code === 0, options: { 'older-than': 'HEAD' } })
    expect(result.commit).toMatch(/^[0-9a-f]{8,}\+?$/)
    expect(result.date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(result.load).toEqual(expect.any(Number))
    expect(result.machine).toContain('Node')
    expect(output).toContain(`commit ${result.commit}, ${result.date}, load`)
  })
})
