import { join } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import { expect, it } from 'vitest'
import { readConfig, readTlsFiles } from './config.ts'

it('has defaults, also for empty settings', () => {
  const [tlsDir, stateDir] = [join('data', 'broker', 'tls'), join('data', 'broker', 'estado')]
  const defaults = { host: '127.0.0.1', port: 8883, tlsDir, stateDir, metricsPort: null, logLevel: 'info' }
  expect(readConfig({})).toEqual(defaults)
  expect(readConfig({ VIGIA_MQTT_PORT: '', VIGIA_BROKER_TLS_DIR: '', VIGIA_BROKER_ESTADO_DIR: '' })).toEqual(defaults)
})

it('reads the settings', () => {
  expect(readConfig({ VIGIA_MQTT_HOST: '::', VIGIA_MQTT_PORT: '0', VIGIA_DATA_DIR: '/d' })).toMatchObject({
    host: '::',
    port: 0,
    tlsDir: '/d/broker/tls',
  })
  expect(readConfig({ VIGIA_DATA_DIR: '/d', VIGIA_BROKER_TLS_DIR: '/t' }).tlsDir).toBe('/t')
  expect(readConfig({ VIGIA_DATA_DIR: '/d', VIGIA_BROKER_ESTADO_DIR: '/e' }).stateDir).toBe('/e')
  expect(readConfig({ VIGIA_BROKER_METRICAS_PORTA: '9465' }).metricsPort).toBe(9465)
})

it.each(['-1', '65536', '80a', '1e3', ' 1'])('rejects the port %j with the name of the setting', (port) => {
  expect(() => readConfig({ VIGIA_MQTT_PORT: port })).toThrow('VIGIA_MQTT_PORT')
})

it('gives instructions when the certificates are missing', async () => {
  const error: unknown = await readTlsFiles('/nao/existe').catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(VigiaError)
  expect(String(error)).toContain('prepare.ts')
})
