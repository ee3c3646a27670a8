import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'

const dashboard = fileURLToPath(new URL('../../../apps/dashboard/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'vigia-ui-page-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Texts of the page `/ui` and of its route (apps/dashboard/src/pages/ui). */
const traces = ['vigia_0000-0000', 'UiPage', '"/ui"', '`/ui`', 'ui-page']

/** Builds the dashboard and returns the traces of the page in all its files. */
function tracesIn(mode: string): string[] {
  const out = join(folder, mode)
  const args = ['build', '--mode', mode, '--outDir', out, '--logLevel', 'error']
  const vite = fileURLToPath(new URL('../../../node_modules/.bin/vite', import.meta.url))
  const { status, stderr } = spawnSync(vite, args, { cwd: dashboard, encoding: 'utf8' })
  expect({ status, stderr }).toMatchObject({ status: 0 })
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(js|html|css)$/.test(file))
  expect(files.length).toBeGreaterThan(50)
  const text = files.map((file) => `${file}\n${readFileSync(join(out, file), 'utf8')}`).join('\n')
  return traces.filter((trace) => text.includes(trace))
}

/** A shipped build compresses every file. */
const timeout = 300_000

it('the shipped dashboard has no trace of the page of the widgets', { timeout }, () => {
  expect(tracesIn('production')).toEqual([])
})

it('the dashboard for screenshots has that page', { timeout }, () => {
  expect(tracesIn('screenshots')).toEqual(expect.arrayContaining(['vigia_0000-0000', 'ui-page']))
})
