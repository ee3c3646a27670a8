import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { expect, it } from 'vitest'

const run = (...args: string[]) => runProgram({ entry: 'apps/lab/src/main.ts', args: ['eval', ...args] })

it('explains the missing data and ends with exit code 2', async () => {
  const empty = temporaryFolder('vigia-eval-')
  const missing = join(empty, 'none')
  expect(await run('--data', empty)).toEqual({ code: 2, output: expect.stringContaining('--data PASTA') })
  expect(await run('--data', missing)).toEqual({ code: 2, output: expect.stringContaining(missing) })
  await rm(empty, { recursive: true })
})

it('fails when no picture could be analysed', async () => {
  const folder = temporaryFolder('vigia-eval-')
  await writeFile(join(folder, 'broken.jpg'), 'no picture')
  const { code, output } = await run('--data', folder)
  expect(output).toContain('broken.jpg: a imagem não pôde ser lida')
  expect(code).toBe(1)
  expect((await run('--data', folder, '--only', 'videos')).code).toBe(1)
  await rm(folder, { recursive: true })
})

it.each([['--dados', 'x'], ['--only', 'placas'], ['--processes', '0'], ['--data']])(
  'answers the invalid call %s %s with the usage and exit code 2',
  { timeout: 60_000 },
  async (...args) => {
    expect(await run(...args)).toEqual({ code: 2, output: expect.stringContaining('npm run lab -- eval [--data') })
  },
)
