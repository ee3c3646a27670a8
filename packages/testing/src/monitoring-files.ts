import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readYaml } from './deploy-files.ts'
import { repositoryRoot } from './program.ts'

const rulesSchema = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.strictObject({ gravidade: z.enum(['critica', 'alta', 'media']) }),
          annotations: z.strictObject({ resumo: z.string(), o_que_fazer: z.string() }),
        }),
      ),
    }),
  ),
})

/** The alert rules in `deploy/prometheus`. */
export function readAlerts() {
  const [document] = readYaml('prometheus/alerts.yml')
  return rulesSchema.parse(document).groups.flatMap(({ rules }) => rules)
}

/** A variable of the dashboard. */
const uid = z.string().regex(/^\$\{fonte\}$/)
const source = z.strictObject({ type: z.literal('prometheus'), uid })
const position = z.strictObject({ h: z.int().min(1), w: z.int().min(1).max(24), x: z.int().min(0), y: z.int().min(0) })
const panelSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('row'), id: z.int(), title: z.string(), gridPos: position }),
  z.object({
    type: z.enum(['timeseries', 'stat']),
    id: z.int(),
    title: z.string(),
    gridPos: position,
    datasource: source,
    targets: z
      .array(z.strictObject({ refId: z.string(), datasource: source, expr: z.string(), legendFormat: z.string() }))
      .min(1),
  }),
])
/** The part of Grafana's dashboard schema that the dashboard uses. */
const dashboardSchema = z.object({
  uid: z.literal('vigia'),
  title: z.string(),
  schemaVersion: z.literal(39),
  templating: z.object({
    list: z.tuple([
      z.object({ name: z.literal('fonte'), type: z.literal('datasource'), query: z.literal('prometheus') }),
    ]),
  }),
  panels: z.array(panelSchema),
})

/** The dashboard in `deploy/grafana`. */
export const readDashboard = () =>
  dashboardSchema.parse(JSON.parse(readFileSync(join(repositoryRoot, 'deploy/grafana/vigia.json'), 'utf8')))

/** The queries of the dashboard, with a fixed window in place of Grafana's variable. */
export const dashboardQueries = (): string[] =>
  readDashboard().panels.flatMap((panel) =>
    panel.type === 'row' ? [] : panel.targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')),
  )

export interface Selector {
  readonly metric: string
  readonly labels: readonly string[]
}

/** The metrics of a PromQL expression, with the labels that it selects by. */
export function selectorsOf(expr: string): Selector[] {
  return [...expr.matchAll(/\b((?:vigia|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g)].map(
    ([, metric = '', inner = '']) => ({
      metric,
      labels: [...inner.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    }),
  )
}
