import { runProgram } from '@vigia/testing/program'
import { expect, it } from 'vitest'

/** Starts PostgreSQL and several programs, which a whole run of tests slows down. */
const GUARD_MS = 420_000
const run = (...args: string[]) =>
  runProgram({ entry: 'apps/lab/src/main.ts', args: ['cloud', ...args], readyMs: GUARD_MS })

it('stores batches and delivers alerts in its short form, and loses none', async () => {
  const { code, output } = await run('--rapido', '--ingestao', '--alertas')
  expect(output).toMatch(/laço com as mesmas linhas e imagens: [\d.]+\/s \| \d+\.\d\d/)
  expect(output).toContain('0 de 160')
  // 1: a goal is missed on a busy machine.
  expect([0, 1]).toContain(code)
})

it('stores batches with two processes of the cloud on PostgreSQL, and loses none', { timeout: GUARD_MS }, async () => {
  const { code, output } = await run('--rapido', '--replicas')
  expect(output).toMatch(/registros perdidos \| 0 de 2\.048/)
  expect(output).toMatch(/repetidos ou a mais \| 0 \|/)
  expect([0, 1]).toContain(code)
})

it('refuses an unknown option with a sentence about its use', async () => {
  expect(await run('--banco', 'outro')).toMatchObject({
    code: 2,
    output: expect.stringContaining('npm run lab -- cloud'),
  })
})
