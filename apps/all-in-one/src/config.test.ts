import { expect, it } from 'vitest'
import { readConfig } from './config.ts'

const problem = (env: Record<string, string>) => {
  const read = readConfig(env)
  return read.ok ? null : read.problem
}

it('has the documented defaults, also for empty settings', () => {
  const read = readConfig({ PORT: '', VIGIA_DATA_DIR: '' })
  expect(read).toMatchObject({
    ok: true,
    config: {
      port: 8080,
      host: '127.0.0.1',
      mqttPort: 8883,
      dataDir: `${process.cwd()}/data`,
      silenceMs: 30_000,
      demo: true,
    },
  })
})

it.each([
  [{ PORT: '0' }, 'PORT'],
  [{ PORT: '65536' }, 'PORT'],
  [{ PORT: '0x50' }, 'PORT'],
  [{ PORT: 'oitenta' }, 'PORT'],
  [{ PORT: '9000', VIGIA_MQTT_PORT: '9000' }, 'VIGIA_MQTT_PORT: precisa ser outra porta'],
  [{ VIGIA_ADMIN_PASSWORD: 'curta' }, 'VIGIA_ADMIN_PASSWORD: a senha precisa de pelo menos 8'],
  [{ VIGIA_SEM_RESPOSTA_S: '4' }, 'VIGIA_SEM_RESPOSTA_S: use um número de segundos, de 5 a 3600'],
  [{ VIGIA_SEM_RESPOSTA_S: '30s' }, 'VIGIA_SEM_RESPOSTA_S: use um número de segundos'],
  [{ VIGIA_DEMO: 'não' }, 'VIGIA_DEMO: use 0 ou 1'],
])('reports the error in %j in one line', (env, sentence) => {
  expect(problem(env)).toContain(`Configuração inválida em ${sentence}`)
  expect(problem(env)).not.toContain('\n')
})

it('never prints the password', () => {
  expect(problem({ VIGIA_ADMIN_PASSWORD: 'curta' })).not.toContain('curta')
})
