import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { resourceSchema } from '@vigia/testing/kubernetes-schema'
import {
  nameOf,
  pickKind as pick,
  type Rendered,
  readKustomization,
  renderKustomize,
} from '@vigia/testing/render-kustomize'
import { describe, expect, it } from 'vitest'

/** These tests read the files and render the overlays. No cluster runs here. */
const root = join(import.meta.dirname, 'kubernetes')
const workloads = (rendered: Rendered) => [...pick(rendered, 'Deployment'), ...pick(rendered, 'StatefulSet')]
const folders = ['base', ...readdirSync(join(root, 'overlays')).map((name) => `overlays/${name}`)]

describe.each(folders)('kubernetes/%s', (folder) => {
  const rendered = renderKustomize(`kubernetes/${folder}`)

  it('names existing files, and uses all files of its folder', () => {
    const { resources, patches = [] } = readKustomization(`kubernetes/${folder}`)
    const files = [...resources, ...patches.map(({ path }) => path)]
    for (const file of files) expect(existsSync(join(root, folder, file)), file).toBe(true)
    const used = files.filter((file) => file.endsWith('.yaml'))
    expect(readdirSync(join(root, folder)).sort()).toEqual([...used, 'kustomization.yaml'].sort())
  })

  it('has only resources with known fields, in restricted security contexts', () => {
    for (const resource of rendered.resources) {
      const { error } = resourceSchema.safeParse(resource)
      expect(error?.issues ?? [], nameOf(resource)).toEqual([])
    }
    expect(new Set(rendered.resources.map(nameOf)).size).toBe(rendered.resources.length)
  })

  it('selects pods and ports that exist', () => {
    const pods = workloads(rendered).map(({ spec }) => spec.template)
    const fitting = (wanted: Record<string, string>) =>
      pods.filter(({ metadata }) => Object.entries(wanted).every(([key, value]) => metadata.labels[key] === value))
    for (const { spec } of workloads(rendered)) expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels)
    for (const { spec } of pick(rendered, 'Service')) {
      const [pod, ...others] = fitting(spec.selector)
      expect(others).toEqual([])
      const ports = pod?.spec.containers.flatMap((container) => container.ports.map(({ name }) => name))
      for (const { targetPort } of spec.ports) expect(ports).toContain(targetPort)
    }
    for (const { spec } of [...pick(rendered, 'PodDisruptionBudget')])
      expect(fitting(spec.selector.matchLabels)).toHaveLength(1)
    for (const { spec } of pick(rendered, 'NetworkPolicy')) {
      const selectors = spec.ingress.flatMap(({ from = [] }) =>
        from.flatMap((each) => ('podSelector' in each ? each : [])),
      )
      for (const { podSelector } of [spec, ...selectors]) expect(fitting(podSelector.matchLabels)).toHaveLength(1)
    }
    const [scaler] = pick(rendered, 'HorizontalPodAutoscaler')
    expect(pick(rendered, 'Deployment').map(nameOf)).toEqual([`Deployment/${scaler?.spec.scaleTargetRef.name}`])
    const services = pick(rendered, 'Service')
    for (const { spec } of pick(rendered, 'Ingress'))
      for (const { backend } of spec.rules.flatMap(({ http }) => http.paths)) {
        const service = services.find(({ metadata }) => metadata.name === backend.service.name)
        expect(service?.spec.ports.map(({ name }) => name)).toContain(backend.service.port.name)
      }
  })

  it('mounts each volume once, and gives a read-only root somewhere to write', () => {
    for (const { spec } of workloads(rendered)) {
      const [container] = spec.template.spec.containers
      const claims =
        'volumeClaimTemplates' in spec ? spec.volumeClaimTemplates.map(({ metadata }) => metadata.name) : []
      const volumes = [...spec.template.spec.volumes.map(({ name }) => name), ...claims]
      expect(container?.volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.sort())
      expect(container?.volumeMounts.map(({ mountPath }) => mountPath)).toContain('/tmp')
      const claimed = spec.template.spec.volumes.flatMap((volume) =>
        'persistentVolumeClaim' in volume ? volume.persistentVolumeClaim.claimName : [],
      )
      const existing = pick(rendered, 'PersistentVolumeClaim').map(({ metadata }) => metadata.name)
      for (const claim of claimed) expect(existing).toContain(claim)
    }
  })

  it('gives a replica time to drain after its readiness ends', () => {
    const [central] = pick(rendered, 'Deployment')
    const pod = central?.spec.template.spec
    const drainS = Number(rendered.config.VIGIA_DRENAGEM_S)
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drainS + 5)
    const { periodSeconds = 10, failureThreshold = 3, httpGet } = pod?.containers[0]?.readinessProbe ?? {}
    expect(periodSeconds * failureThreshold).toBeLessThan(drainS)
    expect(httpGet?.path).toBe('/readyz')
  })

  it('shows the metrics of each replica to the namespace of Prometheus alone', () => {
    const port = Number(rendered.config.VIGIA_METRICAS_PORTA)
    const pod = pick(rendered, 'Deployment')[0]?.spec.template
    expect(pod?.metadata.annotations).toEqual({ 'prometheus.io/scrape': 'true', 'prometheus.io/port': String(port) })
    expect(pod?.spec.containers[0]?.ports).toContainEqual({ name: 'metricas', containerPort: port })
    const rules = pick(rendered, 'NetworkPolicy').flatMap(({ spec }) => spec.ingress)
    const open = rules.filter(({ ports }) => ports.some((each) => each.port === port))
    const monitoring = { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } }
    expect(open.map(({ from, ports }) => [from, ports.length])).toEqual([[[{ namespaceSelector: monitoring }], 1]])
    const services = pick(rendered, 'Service').flatMap(({ spec }) => spec.ports)
    expect(services.map(({ targetPort }) => targetPort)).not.toContain('metricas')
  })

  it('opens the internal listener of mosquitto to replicas alone', () => {
    const policy = pick(rendered, 'NetworkPolicy').find(({ metadata }) => metadata.name === 'vigia-mosquitto')
    const rules = policy?.spec.ingress.filter(({ ports }) => ports.some(({ port }) => port === 8884))
    const central = pick(rendered, 'Deployment')[0]?.spec.selector
    expect(rules?.map(({ from, ports }) => [from, ports.length])).toEqual([[[{ podSelector: central }], 1]])
    const open = pick(rendered, 'Service').filter(({ spec }) => spec.type === 'LoadBalancer')
    expect(open.flatMap(({ spec }) => spec.ports.map(({ port }) => port)).filter((port) => port !== 8883)).toEqual([])
  })
})

it.each([
  ['an unknown field', (text: string) => text.replace('minReadySeconds', 'minReadySecond')],
  [
    'a privileged container',
    (text: string) => text.replace('"allowPrivilegeEscalation":false', '"allowPrivilegeEscalation":true'),
  ],
  [
    'a writable root',
    (text: string) => text.replace('"readOnlyRootFilesystem":true', '"readOnlyRootFilesystem":false'),
  ],
  ['the tag latest', (text: string) => text.replace('vigia-central:0.1.0', 'vigia-central:latest')],
])('the schema refuses %s', (_what, change) => {
  const central = renderKustomize('kubernetes/base').resources.find(({ kind }) => kind === 'Deployment')
  expect(resourceSchema.safeParse(central).success).toBe(true)
  const changed = change(JSON.stringify(central))
  expect(changed).not.toBe(JSON.stringify(central))
  expect(resourceSchema.safeParse(JSON.parse(changed)).success).toBe(false)
})
