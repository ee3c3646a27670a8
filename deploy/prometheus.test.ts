import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dashboardQueries, readAlerts, readDashboard } from '@vigia/testing/monitoring-files'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const hasPromtool = spawnSync('promtool', ['--version']).status === 0

function promtool(...args: string[]): { readonly ok: boolean; readonly output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
  return { ok: status === 0, output: `${stdout}${stderr}` }
}
const accepted = { ok: true, output: expect.stringContaining('SUCCESS') }

describe.skipIf(!hasPromtool)('the files of Prometheus (needs promtool)', () => {
  let dir = ''
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'vigia-promtool-'))
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  it('are valid', () => {
    expect(promtool('check', 'config', here('prometheus/prometheus.yml'))).toEqual(accepted)
    for (const file of ['compose/prometheus.yml', 'prometheus/alerts.yml'])
      writeFileSync(join(dir, basename(file)), readFileSync(here(file)))
    expect(promtool('check', 'config', join(dir, 'prometheus.yml'))).toEqual(accepted)
    expect(promtool('check', 'rules', '--lint-fatal', here('prometheus/alerts.yml'))).toEqual(accepted)
  })

  it('raise the alerts that their tests expect', () => {
    expect(promtool('test', 'rules', here('prometheus/alerts.test.yml'))).toEqual(accepted)
  })

  it('are compared with the tests: a changed limit fails', () => {
    const rules = readFileSync(here('prometheus/alerts.yml'), 'utf8')
    writeFileSync(join(dir, 'alerts.yml'), rules.replace('> 120', '> 3600'))
    writeFileSync(join(dir, 'alerts.test.yml'), readFileSync(here('prometheus/alerts.test.yml')))
    expect(promtool('test', 'rules', join(dir, 'alerts.test.yml'))).toMatchObject({ ok: false })
  })

  it('and the dashboard have queries in PromQL', () => {
    const rules = dashboardQueries().map((expr, index) => ({ record: `painel:${index}`, expr }))
    const file = join(dir, 'dashboard.yml')
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'painel', rules }] }))
    expect(promtool('check', 'rules', file)).toEqual(accepted)
  })
})

it('docs/pt/monitoramento.md explains each alert, and no other', () => {
  const page = readFileSync(here('../docs/pt/monitoramento.md'), 'utf8')
  const explained = [...page.matchAll(/^\| `(Vigia\w+)` \|/gm)].map(([, name]) => name)
  expect(explained).toEqual(readAlerts().map(({ alert }) => alert))
})

it('the panels of the dashboard have ids of their own and do not overlap', () => {
  const { panels } = readDashboard()
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(panels.every(({ gridPos }) => gridPos.x + gridPos.w <= 24)).toBe(true)
})
