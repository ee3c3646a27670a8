import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readYaml } from '@vigia/testing/deploy-files'
import { pickKind, renderKustomize } from '@vigia/testing/render-kustomize'
import { describe, expect, it } from 'vitest'
import { loadConfig } from './config.ts'

/** The settings in deploy/ are valid for the cloud, and no file has a secret. */
const SECRETS = {
  VIGIA_BANCO: 'postgres://vigia:senha@banco/vigia?sslmode=verify-full',
  VIGIA_CHAVE: Buffer.alloc(32).toString('base64'),
  VIGIA_ADMIN_PASSWORD: 'senha-de-teste',
}
const isSecret = (name: string) => name in SECRETS || /SENHA|PASSWORD|CHAVE|TOKEN|SECRET/.test(name)

/** `loadConfig` ignores unknown names, so that these files are read to find a misspelled one. */
const sources = ['config.ts', ...readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })]
  .filter((file) => file === 'config.ts' || /^adapters\/.*settings\.ts$/.test(file))
  .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
const known = new Set(sources.flatMap((text) => text.match(/\bVIGIA_[A-Z0-9_]+\b/g) ?? []))
const unknownNames = (settings: Record<string, string>) =>
  Object.keys(settings).filter((name) => name.startsWith('VIGIA_') && !known.has(name))

describe.each(['base', 'overlays/exemplo', 'overlays/teste'])('deploy/kubernetes/%s', (folder) => {
  it('gives a replica valid settings', () => {
    const rendered = renderKustomize(`kubernetes/${folder}`)
    const [central] = pickKind(rendered, 'Deployment')
    const env = central?.spec.template.spec.containers[0]?.env ?? []
    const values = env.flatMap((each) => ('value' in each ? [[each.name, each.value]] : []))
    const settings: Record<string, string> = { ...rendered.config, ...Object.fromEntries(values) }
    expect(Object.keys(settings).filter(isSecret)).toEqual([])
    expect(unknownNames(settings)).toEqual([])
    const replicaUrl = settings.VIGIA_REPLICA_URL?.replace('$(POD_IP)', '10.1.2.3')
    const config = loadConfig({ ...settings, ...SECRETS, VIGIA_REPLICA_URL: replicaUrl })
    expect(config).toMatchObject({ host: '0.0.0.0', port: 8080, dataDir: '/var/lib/vigia' })
    expect(config.replicaUrl).toBe('http://10.1.2.3:8080')
    const broker = pickKind(rendered, 'Service').find(({ metadata }) => config.mqttUrl.includes(`//${metadata.name}:`))
    expect(config.mqttUrl).toBe(`mqtts://${broker?.metadata.name}:${broker?.spec.ports[0]?.port}`)
  })
})

describe('deploy/compose', () => {
  interface Compose {
    readonly services: Record<string, { readonly environment?: Record<string, string> }>
    readonly networks: { readonly interna: { readonly ipam: { readonly config: readonly { subnet: string }[] } } }
  }
  const [compose] = readYaml('compose/compose.yaml') as [Compose]
  const replicas = Object.entries(compose.services).filter(([name]) => name.startsWith('central-'))

  it('has two replicas with valid settings, and secrets from the environment', () => {
    expect(replicas.map(([name]) => name)).toEqual(['central-1', 'central-2'])
    for (const [name, { environment = {} }] of replicas) {
      expect(unknownNames(environment)).toEqual([])
      for (const [key, value] of Object.entries(environment)) if (isSecret(key)) expect(value).toMatch(/\$\{\w+:\?\}/)
      const given = { POSTGRES_SENHA: 'senha', VIGIA_CHAVE: SECRETS.VIGIA_CHAVE, S3_SENHA: 'senha-de-teste' }
      const fill = (text: string) =>
        text.replaceAll(
          /\$\{(\w+)(?::-([^}]*)|:\?)\}/g,
          (_all, variable: string, standard: string | undefined) =>
            standard ?? (given as Record<string, string>)[variable] ?? 'senha-de-teste',
        )
      const filled = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, fill(value)]))
      const config = loadConfig({ ...filled, VIGIA_DATA_DIR: '/var/lib/vigia' })
      expect(config.replicaUrl).toBe(`http://${name}:8080`)
      expect(config.mqttUrl).toBe('mqtts://mosquitto:8884')
      expect(compose.services).toHaveProperty('mosquitto')
      expect(config.midia).toMatchObject({ bucket: 'vigia', endpoint: 'http://s3:7070' })
      expect(compose.services).toHaveProperty('s3')
      const [address = ''] = compose.networks.interna.ipam.config[0]?.subnet.split('/') ?? []
      expect(config.trustedProxies.check(address.replace(/0$/, '9'))).toBe(true)
    }
  })
})
