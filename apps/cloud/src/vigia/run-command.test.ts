import { rmSync } from 'node:fs'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterAll, expect, it } from 'vitest'
import { runVigia } from '../test/clients/run-vigia.ts'
import { commands } from './commands.ts'

const dir = temporaryFolder('vigia-comando-')
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const env = { VIGIA_DATA_DIR: dir }

it.each([
  ['no command', []],
  ['an unknown command', ['apagar-tudo']],
  ['an unknown option', ['migrar', '--tudo']],
  ['an option of another command', ['migrar', '--apagar']],
  ['a missing name', ['backup']],
  ['a name too many', ['backup', 'a', 'b']],
  ['half a command', ['usuario']],
])('prints the usage and ends with 2 for %s', async (_what, args) => {
  const { code, output } = await runVigia(args, env)
  expect(code).toBe(2)
  for (const { usage } of commands) expect(output).toContain(usage)
})

it('prints the usage on request', async () => {
  expect(await runVigia(['--help'], env)).toEqual({ code: 0, output: expect.stringMatching(/^Uso: vigia <comando>/) })
})

it('ends with 1 and one sentence without a secret if it cannot work', async () => {
  const secret = 'postgres://vigia:senha-secreta@127.0.0.1:1/vigia'
  const key = Buffer.alloc(32, 7).toString('base64')
  for (const [args, more, sentence] of [
    [['migrar'], {}, /^Falta o destino: defina VIGIA_BANCO/],
    [['migrar'], { VIGIA_BANCO: secret }, /^Não há banco em/],
    [['backup', '/tmp/nunca.copia'], { VIGIA_BANCO: secret, VIGIA_CHAVE: key }, /^O PostgreSQL .* não responde/],
    [['backup', '/nenhuma/pasta/a.copia'], {}, /^A pasta \/nenhuma\/pasta não existe/],
    [['backup', '/tmp/nunca.copia'], { VIGIA_COPIA_SENHA: 'curta' }, /^A senha da cópia é curta/],
    [['backup', '/tmp/nunca.copia'], { VIGIA_COPIA_SENHA: '' }, /^Falta a senha, e não há terminal/],
    [['backup', '/tmp/nunca.copia'], { VIGIA_COPIA_SENHA_ARQUIVO: '/nenhum' }, /^Não consegui ler \/nenhum/],
    [['restaurar', '/nenhum.copia'], {}, /^Não há arquivo/],
    [['trocar-chave'], { VIGIA_BANCO: 'mysql://x' }, /^Configuração inválida/],
  ] as const) {
    const { code, output } = await runVigia(args, { ...env, ...more })
    expect([code, output]).toEqual([1, expect.stringMatching(sentence)])
    expect(output.trim().split('\n')).toHaveLength(1)
    for (const hidden of ['senha-secreta', key]) expect(output).not.toContain(hidden)
  }
})
