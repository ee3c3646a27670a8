import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'

it('has working defaults', () => {
  expect(loadConfig({})).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    mqttUrl: 'mqtts://127.0.0.1:8883',
    mqttUrlEdges: 'mqtts://127.0.0.1:8883',
    admin: { username: 'admin', password: null },
    cookieSecure: false,
    edgeLocal: false,
    logLevel: 'info',
  })
})

it('makes its folders absolute, so that a change of directory has no effect', () => {
  const { dataDir, cloudDir, painelDir } = loadConfig({ VIGIA_DATA_DIR: 'dados' })
  expect([dataDir, cloudDir]).toEqual([`${process.cwd()}/dados`, `${process.cwd()}/dados/cloud`])
  expect(painelDir).toMatch(/^\/.*\/apps\/dashboard\/dist$/)
})

it('treats an empty variable as not set', () => {
  expect(loadConfig({ PORT: '', VIGIA_ADMIN_PASSWORD: '', VIGIA_EDGE_LOCAL: '' })).toMatchObject({ port: 8080 })
})

it('is frozen and never prints its secrets', () => {
  const chave = Buffer.alloc(32, 7).toString('base64')
  const config = loadConfig({ VIGIA_ADMIN_PASSWORD: 'segredo-longo', VIGIA_CHAVE: chave })
  expect(config.admin.password?.reveal()).toBe('segredo-longo')
  expect(Object.isFrozen(config)).toBe(true)
  for (const text of [JSON.stringify(config), inspect(config, { depth: 9 }), `${config.admin.password}`]) {
    expect(text).toContain('***')
    expect(text).not.toContain('segredo-longo')
    expect(text).not.toContain(chave)
  }
})

describe('an invalid setting', () => {
  it.each([
    ['PORT', 'porta'],
    ['PORT', '70000'],
    ['VIGIA_MQTT_URL', 'http://127.0.0.1'],
    ['VIGIA_ADMIN_PASSWORD', 'curta'],
    ['VIGIA_CHAVE', 'bm90IDMyIGJ5dGVz'],
    ['VIGIA_CHAVE_ANTERIOR', `${Buffer.alloc(32).toString('base64')},bm90IDMyIGJ5dGVz`],
    ['VIGIA_DOMINIO_NEUTRO', 'https://vigia.exemplo.br'],
    ['VIGIA_DOMINIO_NEUTRO', 'vigia.exemplo.br:8080'],
    ['VIGIA_LOG_LEVEL', 'alto'],
    ['VIGIA_COOKIE_SECURE', 'talvez'],
    ['VIGIA_MODELOS', 'modelos'],
    ['VIGIA_MODELOS', '/nao/existe'],
    ['VIGIA_PROXY_CONFIAVEL', '10.0.0.0/33'],
    ['VIGIA_PROXY_CONFIAVEL', 'proxy.local'],
  ])('names the variable of %s=%s without its value', (name, value) => {
    const load = () => loadConfig({ [name]: value })
    expect(load).toThrow(ConfigError)
    expect(load).toThrow(name)
    expect(load).not.toThrow(`${value}"`)
  })
})

it('parses its trusted proxies', () => {
  const { trustedProxies } = loadConfig({ VIGIA_PROXY_CONFIAVEL: '10.0.0.0/8, 192.0.2.1,fd00::/8' })
  expect(trustedProxies.check('10.9.9.9')).toBe(true)
  expect(trustedProxies.check('192.0.2.1')).toBe(true)
  expect(trustedProxies.check('127.0.0.1')).toBe(false)
  expect(trustedProxies.check('fd00::1', 'ipv6')).toBe(true)
})

it('parses the networks that may be probed, and names an invalid one', () => {
  expect(loadConfig({}).sondagemPermitir).toEqual([])
  expect(loadConfig({ VIGIA_SONDAGEM_PERMITIR: '127.0.0.0/8, ::1' }).sondagemPermitir).toHaveLength(2)
  expect(() => loadConfig({ VIGIA_SONDAGEM_PERMITIR: 'dvr.local' })).toThrow(/VIGIA_SONDAGEM_PERMITIR: use redes/)
})

it('parses its former keys, and normalizes its neutral domain like the compared hosts', () => {
  const keys = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'))
  const config = loadConfig({ VIGIA_CHAVE_ANTERIOR: keys.join(' , '), VIGIA_DOMINIO_NEUTRO: ' Vigia.Exemplo.BR' })
  expect(config.chavesAnteriores.map((key) => key.reveal())).toEqual(keys)
  expect(inspect(config, { depth: 9 })).not.toContain(keys[0])
  expect(config.dominioNeutro).toBe('vigia.exemplo.br')
  expect(loadConfig({})).toMatchObject({ chavesAnteriores: [], dominioNeutro: null })
})

it('switches metrics and traces on, to a receiver without credentials', () => {
  expect(loadConfig({}).telemetria).toEqual({ metricas: null, otelUrl: null })
  const env = { VIGIA_METRICAS_PORTA: '9464', VIGIA_METRICAS_HOST: '0.0.0.0', VIGIA_OTEL_URL: 'http://coletor:4318' }
  const metricas = { host: '0.0.0.0', port: 9464 }
  expect(loadConfig(env).telemetria).toEqual({ metricas, otelUrl: 'http://coletor:4318' })
  for (const wrong of ['127.0.0.1:4318', 'grpc://coletor:4317', 'http://eu:senha-secreta@coletor:4318']) {
    const failed = () => loadConfig({ VIGIA_OTEL_URL: wrong })
    expect(failed).toThrow('VIGIA_OTEL_URL: use uma URL http://servidor:4318')
    expect(failed).not.toThrow('senha-secreta')
  }
})

it('parses the public address with its path, and refuses one that hides the cloud', () => {
  const of = (url: string) => loadConfig({ VIGIA_URL_PUBLICA: url })
  expect(of('https://host.br/')).toMatchObject({ urlPublica: 'https://host.br', basePath: '' })
  expect(of('https://HOST.br:444/vigia/')).toMatchObject({
    urlPublica: 'https://host.br:444/vigia',
    basePath: '/vigia',
  })
  expect(loadConfig({})).toMatchObject({ urlPublica: null, basePath: '' })
  for (const wrong of ['https://host.br/api', 'https://host.br/a//b', 'https://host.br/v?a', 'ftp://host.br/v'])
    expect(() => of(wrong)).toThrow(/VIGIA_URL_PUBLICA: use uma URL https:/)
})
